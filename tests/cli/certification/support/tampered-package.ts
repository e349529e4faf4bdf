import type { PackageContent } from '../../../../reporting/certification/archive.ts';
import { PACKAGE_FILES } from '../../../../specs/certification/package.ts';
import { remade, type SealedRun, sealRun } from './packages.ts';
import { FAILED_ATTEMPT, later, withCertification } from './record-edits.ts';
import { repacked, type Tampering, unchained } from './tampering.ts';

const { evidence, report, page, testResult, run, certificate, certificatePage } = PACKAGE_FILES;
const NO_CERTIFICATE = /^certificate\.dsse\.json is no certificate of this kit$/;

function withFiles(content: PackageContent, files: Record<string, string | Uint8Array>): PackageContent {
  return new Map([...content, ...Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes)] as const)]);
}

function textOf({ content }: SealedRun, path: string): string {
  return Buffer.from(content.get(path) ?? []).toString();
}

/** The partner seals a package whose parts do not belong together. */
const mismatches: readonly Tampering[] = [
  repacked(
    'sealed before the end',
    /^the package was sealed before its run ended: a clock was turned back$/,
    async (base) => {
      const { content } = await sealRun(base.run, { sealedAt: new Date(base.sealedAt.getTime() - 120_000) });
      return content;
    },
  ),
  repacked('sealed in the future', /^the package was sealed in the future: a clock is wrong$/, async (base) => {
    const { content } = await sealRun(base.run, { sealedAt: new Date(later(base.sealedAt.toISOString(), 86_400)) });
    return content;
  }),
  ...[report, page].map((path) =>
    repacked(
      `the ${path} of other evidence`,
      new RegExp(`^${path} differs from the report of the evidence`),
      (base, { failing }) => remade(base, { files: { [path]: textOf(failing, path) } }),
    ),
  ),
  repacked(
    'a target.json of another server',
    /^target\.json describes a target other than that of the evidence$/,
    (base) => remade(base, { files: { [PACKAGE_FILES.target]: '{"baseUrl":"https://other.example.com"}' } }),
  ),
  repacked('a README.txt with other words', /^README\.txt does not say what the evidence says$/, (base) =>
    remade(base, { files: { [PACKAGE_FILES.readMe]: 'Certified without exceptions by the desk' } }),
  ),
  repacked('a manifest of another run', /^manifest\.json is about another run, or another kit sealed it$/, (base) =>
    remade(base, { manifest: { runId: 'another' } }),
  ),
  repacked('other evidence', /^report\.json differs from the report of the evidence/, (base, { failing }) =>
    remade(base, { files: { [evidence]: textOf(failing, evidence) } }),
  ),
  repacked('a manifest without the evidence', /^manifest\.json does not name evidence\.jsonl$/, (base) => {
    const { files } = JSON.parse(textOf(base, PACKAGE_FILES.manifest)) as {
      files: { path: string; sha256: string; bytes: number }[];
    };
    return remade(base, { manifest: { files: files.filter(({ path }) => path !== evidence) } });
  }),
  ...[testResult, run].map((path) =>
    repacked(
      `the ${path} of another package`,
      new RegExp(`^${path} is a statement about other files$`),
      (base, { failing }) => new Map([...base.content, [path, failing.content.get(path) ?? Buffer.of()]]),
    ),
  ),
  ...[testResult, run].map((path) =>
    repacked(
      `a ${path} about another run`,
      new RegExp(`^${path} does not say what the evidence says$`),
      (base, { failing }) => {
        const other = remade(base, { report: failing.report });
        return new Map([...base.content, [path, other.get(path) ?? Buffer.of()]]);
      },
    ),
  ),
];

/** The files of a certificate that no desk has written. */
const certificates: readonly Tampering[] = [
  repacked('a page of a certificate alone', NO_CERTIFICATE, ({ content }) =>
    withFiles(content, { [certificatePage]: '<h1>Certified</h1>' }),
  ),
  repacked('a certificate without a statement', NO_CERTIFICATE, ({ content }) =>
    withFiles(content, { [certificate]: '{"certified":true}', [certificatePage]: '<h1>Certified</h1>' }),
  ),
  repacked('another statement in place of the certificate', NO_CERTIFICATE, ({ content }) =>
    withFiles(content, { [certificate]: content.get(run) ?? '', [certificatePage]: '<h1>Certified</h1>' }),
  ),
];

const BROKEN_CHAIN = /^the evidence is not readable: evidence\.jsonl, line \d+: the hash chain is broken/;
const MIDDLE = 40;

function swapped(lines: readonly string[], at: number): string[] {
  const [one = '', other = ''] = lines.slice(at, at + 2);
  return [...lines.slice(0, at), other, one, ...lines.slice(at + 2)];
}

/** Somebody edits the evidence without making its chain anew. */
const brokenChains: readonly Tampering[] = [
  unchained('an edited line', BROKEN_CHAIN, (lines) =>
    lines.map((line, at) => (at === MIDDLE ? line.replace('"durationMs":', '"durationMs":1') : line)),
  ),
  unchained('an edited first line', BROKEN_CHAIN, (lines) =>
    lines.map((line, at) => (at === 0 ? line.replace('"seed":7', '"seed":8') : line)),
  ),
  unchained('a removed line', BROKEN_CHAIN, (lines) => lines.filter((_, at) => at !== MIDDLE)),
  unchained('a removed first line', /^the evidence is not readable: /, (lines) => lines.slice(1)),
  unchained('a line twice', BROKEN_CHAIN, (lines) =>
    lines.flatMap((line, at) => (at === MIDDLE ? [line, line] : [line])),
  ),
  unchained('two lines in another order', BROKEN_CHAIN, (lines) => swapped(lines, MIDDLE)),
  unchained('a line without its digest', BROKEN_CHAIN, (lines) =>
    lines.map((line, at) => (at === MIDDLE ? line.replace(/"previous":"[^"]+",/, '') : line)),
  ),
  unchained('a line that is not JSON', /^the evidence is not readable: evidence\.jsonl, line 41: not JSON$/, (lines) =>
    lines.map((line, at) => (at === MIDDLE ? line.slice(0, -1) : line)),
  ),
  unchained('an operator of another name', BROKEN_CHAIN, (lines) =>
    lines.map((line, at) => (at === 0 ? line.replace('"operator":"Acme QA"', '"operator":"Acme QB"') : line)),
  ),
  unchained(
    'without an earlier attempt',
    BROKEN_CHAIN,
    (lines) => lines.map((line, at) => (at === 0 ? line.replace(/"attempts":\[[^\]]+\]/, '"attempts":[]') : line)),
    (records) => withCertification(records, { attempts: [FAILED_ATTEMPT] }),
  ),
];

export const tamperedPackages: readonly Tampering[] = [...mismatches, ...certificates, ...brokenChains];

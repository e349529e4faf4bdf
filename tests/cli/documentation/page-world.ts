import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findServer } from '../../../cli/prove/servers.ts';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import { packageRoot } from '../../../specs/code-location.ts';
import { OPERATION_NAMES } from '../../../specs/target-file/target.ts';
import { userPages } from '../../docs/markdown-pages.ts';
import { conformance, temporaryFolder } from '../support/command.ts';

/** A defect that the profile smoke detects, and the check that does. */
const DEFECT = { fault: 'auth-key-trimmed', check: 'AUTH-02.invisible' };

const KNOWN_FAILURE = {
  id: DEFECT.check,
  reason: 'Keys are trimmed until the next release',
  issue: 'https://issues.example.com/BILL-12',
  owner: 'billing',
  expires: '2999-01-31',
};

/** The pages whose commands need a run with failures: a baseline, or the last failures. */
const WITH_DEFECT = new Set(['docs/gate.md', 'docs/getting-started.md']);

/** The pages name these target files as the files of the reader. */
const TARGET_FILES = ['target.yaml', 'staging.yaml', 'partner.yaml', 'reference.yaml', 'conformance/target.yaml'];

const PLACEHOLDER_URL = 'https://staging.example.com';

export interface PageWorld {
  folder: string;
  env: Record<string, string>;
  /** The arguments with this server and these folders for those of the reader. */
  fillIn: (args: readonly string[]) => string[];
  /** Makes what the page says that the reader has when it comes to this command. */
  prepare: (args: readonly string[]) => Promise<void>;
}

const cleanUps: (() => unknown)[] = [];

export async function removeWorlds(): Promise<void> {
  await Promise.all(cleanUps.map((each) => each()));
}

/** A folder with the files that a reader of the page has, and the servers that they describe. */
export async function createWorld(page: string): Promise<PageWorld> {
  const { folder, remove } = temporaryFolder();
  cleanUps.push(remove);
  const service = await startServer(WITH_DEFECT.has(page));
  const corrected = await startServer(false);
  mkdirSync(join(folder, 'conformance'));
  for (const file of TARGET_FILES) writeFileSync(join(folder, file), describeTarget(service));
  writeFileSync(join(folder, 'local.yaml'), describeTarget(corrected, false));
  writeFileSync(join(folder, 'earlier.yaml'), describeTarget(await startServer(true), false));
  const { seller, buyer } = service.target.actors;
  const env = {
    SELLER_KEY: seller.key,
    SELLER_SECRET: seller.secret,
    BUYER_KEY: buyer.key,
    BUYER_SECRET: buyer.secret,
  };
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, '.env'), lines.join(''), { mode: 0o600 });
  writeFileSync(join(folder, 'baseline.yaml'), JSON.stringify({ knownFailures: [KNOWN_FAILURE] }));
  writeKeys(folder);
  writeProject(folder);
  const world = { folder, env };
  return {
    ...world,
    fillIn: (args) => args.map((arg, at) => fillIn(arg, args[at - 1], service.target.baseUrl)),
    prepare: async (args) => {
      if (args[0] === 'init') removeTargetFiles(folder);
      // The reader fills in what init does not know.
      else fillInTargetFiles(folder, describeTarget(service));
      await prepare(args, world);
    },
  };
}

async function startServer(isDefective: boolean): Promise<RunningReference> {
  const service = await startReference(isDefective ? findServer({ kind: 'fault', id: DEFECT.fault }) : {});
  cleanUps.push(() => service.close());
  return service;
}

/** Of a small service: the commands matter here, not the checks. */
const OFFERED = new Set(['read', 'submit', 'delete']);
const NOT_OFFERED = OPERATION_NAMES.filter((name) => !OFFERED.has(name));

/**
 * Without opt-in checks, because a reset would end the keys. Secrets are in the environment, or in the file as it is allowed for this
 * machine.
 */
function describeTarget({ target }: RunningReference, inEnvironment = true): string {
  const { seller, buyer } = target.actors;
  const named = (role: string) => ({ key: `\${${role}_KEY}`, secret: `\${${role}_SECRET}` });
  const actors = inEnvironment
    ? { ...target.actors, seller: { ...seller, ...named('SELLER') }, buyer: { ...buyer, ...named('BUYER') } }
    : target.actors;
  const implementation = { vendor: 'Acme', product: 'Ledger', version: '4.2.0' };
  const operations = Object.entries(target.operations).map(([name, bound]) => [
    name,
    OFFERED.has(name) ? bound : 'not-offered',
  ]);
  return JSON.stringify({
    ...target,
    allow: {},
    actors,
    implementation,
    operations: Object.fromEntries(operations),
  });
}

/** `init` writes the target file of the reader. */
function removeTargetFiles(folder: string): void {
  for (const file of ['target.yaml', 'staging.yaml']) rmSync(join(folder, file), { force: true });
}

function fillInTargetFiles(folder: string, described: string): void {
  for (const file of TARGET_FILES) {
    const path = join(folder, file);
    if (!existsSync(path) || readFileSync(path, 'utf8').includes(PLACEHOLDER_URL)) writeFileSync(path, described);
  }
}

function writeKeys(folder: string): void {
  for (const owner of ['acme', 'desk']) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    writeFileSync(join(folder, `${owner}.pem`), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    writeFileSync(join(folder, `${owner}.pub`), publicKey.export({ type: 'spki', format: 'pem' }));
  }
  const policy = readFileSync(join(packageRoot, 'docs/certification/policy.yaml'), 'utf8');
  writeFileSync(
    join(folder, 'policy.yaml'),
    policy.replace(/^exceptions: \[/m, (line) => `${line}${NOT_OFFERED.join(', ')}, `),
  );
}

/** The project of a reader who has installed the kit, with the custom check of the page. */
function writeProject(folder: string): void {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(packageRoot, join(folder, 'node_modules', 'invoicing-network-conformance'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(folder, 'checks'));
  writeFileSync(join(folder, 'checks/portal.ts'), customCheckOfThePage());
}

function customCheckOfThePage(): string {
  const text = userPages().find(({ path }) => path === 'docs/custom-checks.md')?.text ?? '';
  const [, code] = /```ts\n(\/\/ checks\/portal\.ts\n[\s\S]*?)```/.exec(text) ?? [];
  if (code === undefined) throw new Error('docs/custom-checks.md shows no checks/portal.ts');
  return code;
}

const STAGING_REPORT = 'reports/staging';

function fillIn(arg: string, before: string | undefined, baseUrl: string): string {
  if (arg === PLACEHOLDER_URL) return baseUrl;
  if (arg === 'FILE') return before === '--target' ? 'staging.yaml' : 'baseline.yaml';
  if (arg === 'DIR' || arg === 'reports/DIR') return STAGING_REPORT;
  return arg === 'ID' ? 'LIFE-02' : arg;
}

/** The folders of earlier runs that the pages name. */
const EARLIER_RUNS = [STAGING_REPORT, 'reports/monday', 'reports/tuesday', 'reports/acme', 'reports/umbrella'];

async function prepare(args: readonly string[], { folder, env }: Pick<PageWorld, 'folder' | 'env'>): Promise<void> {
  const run = (...more: string[]) => conformance(['run', ...more], { cwd: folder, env });
  const reads = args.filter((_, at) => args[at - 1] !== '--out').map((arg) => fillIn(arg, undefined, ''));
  for (const [at, name] of EARLIER_RUNS.entries()) {
    if (reads.includes(name) && !existsSync(join(folder, name)))
      await run('--target', 'earlier.yaml', '--only', DEFECT.check, '--out', name, '--seed', String(at));
  }
  if (args.includes('shard-1') && args[0] === 'merge')
    for (const shard of [2, 3, 4])
      await run('--target', 'staging.yaml', '--shard', `${shard}/4`, '--seed', '7', '--out', `shard-${shard}`);
}

import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from 'vitest';
import { renderCertificate } from '../../reporting/certification/certificate-page.tsx';
import { requirements } from '../../specs/catalogue/catalogue.ts';
import { header, reportOf, result, target } from '../reporting/journal/journal-builders.ts';
import { openPage } from './open-page.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
/** A required check of a requirement with other checks that pass. */
const UNJUDGED = 'REC-15.conditional';
const SHA256 = 'a'.repeat(64);

/** The certificate of a run with a failed requirement, checks that were not judged, and hostile texts. */
async function certificate(): Promise<string> {
  const selected = requirements.flatMap(({ checks }) => checks.map(({ id }) => id));
  const head = header({
    catalogue: { digest: 'sha256:abc', requirements: [...requirements] },
    selected,
    target: { ...target, implementation: { vendor: HOSTILE, product: 'Ledger', version: '4.2' } },
    certification: {
      operator: HOSTILE,
      ticket: 'CERT-118',
      kit: { commit: null, digest: SHA256, node: 'v20.0.0' },
      serverCertificate: null,
      attempts: [],
    },
  });
  const verdictOf = (id: string) =>
    id.startsWith('LIFE-02') ? 'fail' : id.startsWith('HOOK') || id === UNJUDGED ? 'not-applicable' : 'pass';
  const report = await reportOf([
    head,
    ...selected.map((id) => result(id, verdictOf(id), { reason: 'a long reason '.repeat(6) })),
  ]);
  const waiver = { requirement: 'LIFE-02', reason: HOSTILE, author: 'Jo Doe', expires: '2027-06-30' };
  const policy = { name: 'policy.yaml', digest: { sha256: SHA256 } };
  const createdAt = new Date('2026-01-31T12:00:00Z');
  return renderCertificate(
    { report, waivers: [waiver], verifier: 'https://desk.example.com/v1', policy, createdAt },
    { partner: [SHA256], desk: SHA256 },
  );
}

const opened = openPage('certificate.html', certificate);

test('a certificate runs no text of the package and loads nothing', async () => {
  const { view, noises } = await opened();
  expect(await view.locator('h1').textContent()).toBe(`${HOSTILE} Ledger 4.2`);
  expect(await view.locator('#waivers').textContent()).toContain('LIFE-02');
  expect(noises).toEqual([]);
});

test('a certificate names a required check without a result, although its requirement was judged', async () => {
  const { view } = await opened();
  expect(await view.locator('#not-judged').textContent()).toContain(UNJUDGED);
});

test('a certificate prints on one page', async () => {
  const { view } = await opened();
  const pdf = await view.pdf({ format: 'A4', preferCSSPageSize: true });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

test.each(['light', 'dark'] as const)('a certificate is accessible (%s)', async (colorScheme) => {
  const { view } = await opened({ colorScheme });
  expect((await new AxeBuilder({ page: view }).analyze()).violations).toEqual([]);
});

test('a certificate fits on a phone', async () => {
  const { view } = await opened({ viewport: { width: 390, height: 800 } });
  expect(await view.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});

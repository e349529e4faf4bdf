/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Report, RequirementReport } from '../../specs/formats/report.ts';
import { renderDocument } from '../formats/html/document.tsx';
import { Facts, Section, TableHead } from '../formats/html/elements/text.tsx';
import { groupBy } from '../text/group-by.ts';
import { formatTime, pluralize } from '../text/wording.ts';
import type { Certificate } from './certificate.ts';
import { unjudgedByWaiver } from './policy-problems.ts';

const STYLES = ['theme', 'text', 'overview', 'findings', 'sections', 'narrow', 'print', 'certificate'];

/** The keys of a certificate. */
export interface CertificateKeys {
  /** Ids of the keys with which the partner has signed the package. */
  readonly partner: readonly string[];
  /** Id of the key with which the desk signs. */
  readonly desk: string;
}

/** A page for people, which fits on one sheet: who is certified for what, and what was not judged. */
export function renderCertificate(certificate: Certificate, keys: CertificateKeys): string {
  const { report, waivers, verifier, policy, createdAt } = certificate;
  const { vendor = '', product = '', version = '' } = report.target.implementation ?? {};
  const { certification, run, kit } = report;
  const facts: [string, string][] = [
    ['Verdict', report.headline],
    ['Target', `${report.target.name} (${report.target.baseUrl})`],
    ['Run', `${formatTime(run.startedAt)}, ${pluralize(report.summary.exchanges, 'exchange')}, run ${run.id}`],
    ['Operator and ticket', `${certification?.operator ?? 'not named'}, ${certification?.ticket ?? 'no ticket'}`],
    ['Attempts', [...(certification?.attempts ?? []).map(({ verdict }) => verdict), 'this one'].join(', ')],
    ['TLS certificate of the server', certification?.serverCertificate ?? 'none'],
    ['Kit', `${kit.name} ${kit.version}, SHA-256 of its files ${certification?.kit.digest ?? ''}`],
    ['Policy', `${policy.name}, SHA-256 ${policy.digest.sha256}`],
    ['Key of the partner', keys.partner.join(', ')],
    ['Key of the desk', keys.desk],
  ];
  return renderDocument({
    title: `Certificate: ${vendor} ${product} ${version}`,
    styles: STYLES,
    script: null,
    body: (
      <>
        <header>
          <p class="eyebrow">{`${waivers.length === 0 ? 'Certificate of conformance' : 'Certificate with waivers'} · contract of the Invoicing and Settlement Network`}</p>
          <h1>{`${vendor} ${product} ${version}`}</h1>
          <p class="lead">{`Issued by ${verifier} on ${formatTime(createdAt.toISOString())}.`}</p>
          <Facts facts={facts} />
        </header>
        <main id="main">
          {waivers.length === 0 ? null : <Waivers waivers={waivers} report={report} />}
          <Judged report={report} />
          <NotJudged report={report} />
          <p class="quiet">
            A signature says who sealed and who certified the package. It does not prove that the exchanges happened:
            the logs of the server do, in which every request carries the ticket. A server at the same address may
            change at any time. Verify the package with <code>conformance verify</code>.
          </p>
        </main>
      </>
    ),
  });
}

function Waivers({ waivers, report }: Pick<Certificate, 'waivers' | 'report'>) {
  const unjudged = unjudgedByWaiver(report, waivers);
  return (
    <Section id="waivers" title="Waivers" count={waivers.length}>
      <p class="notice">
        <strong>This implementation does not conform to these requirements.</strong> The desk accepts each breach until
        the day in the table. The verdict does not change.
      </p>
      {unjudged.length === 0 ? null : (
        <p>{`The breaches leave ${pluralize(unjudged.length, 'required check')} unjudged: ${unjudged.join(', ')}`}</p>
      )}
      <table>
        <TableHead columns={['Requirement', 'Reason', 'Author', 'Until']} />
        <tbody>
          {waivers.map(({ requirement, reason, author, expires }) => (
            <tr key={requirement}>
              <th scope="row">{requirement}</th>
              <td>{reason}</td>
              <td>{author}</td>
              <td>{expires}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

const isJudged = ({ verdict }: RequirementReport) => verdict === 'pass' || verdict === 'warn' || verdict === 'fail';

function Judged({ report: { requirements, checks } }: { report: Report }) {
  const judged = requirements.filter(isJudged);
  const areas = [...groupBy(judged, ({ area }) => area)];
  const failedChecks = (requirement: string) =>
    checks.filter((check) => check.requirement === requirement && check.verdict === 'fail').map(({ id }) => id);
  const failed = judged
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ id }) => `${id} (${failedChecks(id).join(', ')})`);
  const warned = judged.filter(({ verdict }) => verdict === 'warn').map(({ id }) => id);
  return (
    <Section id="judged" title="Judged" count={pluralize(judged.length, 'requirement')}>
      <p>{areas.map(([area, all]) => `${area} ${all.length}`).join(' · ')}</p>
      {failed.length === 0 ? null : <p>{`Failed: ${failed.join(', ')}`}</p>}
      {warned.length === 0 ? null : <p>{`With a warning: ${warned.join(', ')}`}</p>}
    </Section>
  );
}

function NotJudged({ report: { requirements, checks, exceptions } }: { report: Report }) {
  const open = requirements.filter((requirement) => !isJudged(requirement) && requirement.level !== 'observed');
  const judged = new Set(requirements.filter(isJudged).map(({ id }) => id));
  const parts = checks.filter(
    ({ requirement, level, verdict }) =>
      judged.has(requirement) && level === 'required' && verdict === 'not-applicable',
  );
  return (
    <Section id="not-judged" title="Not judged" count={pluralize(open.length, 'requirement')}>
      {exceptions.length === 0 ? null : <p>{`Exceptions of the verdict: ${exceptions.join(', ')}`}</p>}
      <Reasons of={open} />
      {parts.length === 0 ? null : <p>Required checks of judged requirements that were not applicable:</p>}
      <Reasons of={parts} />
    </Section>
  );
}

function Reasons({ of: all }: { of: readonly { id: string; reason: string }[] }) {
  if (all.length === 0) return null;
  return (
    <ul class="plain not-judged">
      {all.map(({ id, reason }) => (
        <li key={id}>
          <code>{id}</code> {reason}
        </li>
      ))}
    </ul>
  );
}

import { type Derivation, derivationOf } from '../../../../specs/catalogue/requirement.ts';
/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { CheckReport } from '../../../../specs/formats/report.ts';
import type { ReportView } from '../../../report/report-view.ts';
import { truncate } from '../../../text/escape-control-characters.ts';
import { derivationText, placeText } from '../../../text/requirement-text.ts';
import { formatDuration, pluralize, rerunCommand } from '../../../text/wording.ts';
import { anchorOf, filterAttributes } from './check-attributes.ts';
import { Contrast } from './contrast.tsx';
import { CatalogueText, CopyBlock, VerdictChip } from './text.tsx';
import { Transcript } from './transcript.tsx';

/** The transcript shows the whole response. It marks the differences, if there are any. */
const MAX_FACT_LENGTH = 240;
const MAX_FACT_LENGTH_WITH_DIFFERENCES = 100;

interface CardProps {
  readonly check: CheckReport;
  readonly view: ReportView;
  readonly isOpen: boolean;
}

/** A check with its evidence, folded unless it is the first of its group. */
export function FailureCard({ check, view, isOpen }: CardProps) {
  const fields = check.differences.filter(({ path }) => path !== 'status');
  const limit = check.differences.length === 0 ? MAX_FACT_LENGTH : MAX_FACT_LENGTH_WITH_DIFFERENCES;
  return (
    <details class={`card ${check.verdict}`} id={anchorOf(check)} {...filterAttributes(check, view)} open={isOpen}>
      <summary>
        <span class="tags">
          <VerdictChip verdict={check.verdict} /> <code>{check.id}</code>{' '}
          <span class="quiet">
            {check.level} · {formatDuration(check.durationMs)}
          </span>
        </span>
        <span class="title">
          <CatalogueText text={check.title} />
        </span>
      </summary>
      <KnownFailure check={check} view={view} />
      <Statement check={check} view={view} />
      <Contrast expected={check.expected} actual={truncate(check.actual, limit)} />
      <Differences fields={fields} />
      {check.reason === '' ? null : <p class="reason">{check.reason}</p>}
      <UsualFixes check={check} view={view} />
      <Reproduction check={check} view={view} isOpen={isOpen} />
      <Transcript check={check} view={view} isBrief={!isOpen} />
    </details>
  );
}

/** The words of the baseline. */
function KnownFailure({ check, view }: Omit<CardProps, 'isOpen'>) {
  const known = view.knownFailure(check);
  if (known === undefined) return null;
  return (
    <p class="reason">
      Known failure until {known.expires}: {known.reason} ({known.owner}, <a href={known.issue}>{known.issue}</a>)
    </p>
  );
}

function Statement({ check, view }: Omit<CardProps, 'isOpen'>) {
  const requirement = view.requirementOf(check);
  if (requirement === undefined) return null;
  const judged = derivationOf(requirement, check.id);
  return (
    <blockquote>
      <p>
        <CatalogueText text={requirement.statement} />
      </p>
      {judged === undefined ? null : (
        <p>
          <CatalogueText text={derivationText(judged)} />
        </p>
      )}
      <OtherRules rules={requirement.derived.filter((each) => each !== judged)} judgesOne={judged !== undefined} />
      <footer>
        {requirement.id} · {placeText(requirement.place)}
      </footer>
    </blockquote>
  );
}

/** The derived rules that other checks judge, or this one in passing. */
function OtherRules({ rules, judgesOne }: { rules: readonly Derivation[]; judgesOne: boolean }) {
  if (rules.length === 0) return null;
  return (
    <details class="quiet">
      <summary>{pluralize(rules.length, judgesOne ? 'other derived rule' : 'derived rule')}</summary>
      {rules.map((each) => (
        <p key={each.rule}>
          <CatalogueText text={derivationText(each)} />
        </p>
      ))}
    </details>
  );
}

/** Of the requirement: a failure of it often has one of these causes. */
function UsualFixes({ check, view }: Omit<CardProps, 'isOpen'>) {
  const fixes = view.requirementOf(check)?.fixes ?? [];
  if (fixes.length === 0) return null;
  return (
    <details class="quiet">
      <summary>Usual {fixes.length === 1 ? 'fix' : 'fixes'}</summary>
      {fixes.map((fix) => (
        <p key={fix}>
          <CatalogueText text={fix} />
        </p>
      ))}
    </details>
  );
}

/** The fields that are not as expected. Expected and actual already contain the status. */
function Differences({ fields }: { fields: CheckReport['differences'] }) {
  if (fields.length === 0) return null;
  return (
    <table class="differences">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Expected</th>
          <th scope="col">Actual</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ path, expected, actual }) => (
          <tr key={path}>
            <th scope="row">
              <code>{path}</code>
            </th>
            <td>{expected === null ? <span class="quiet">see above</span> : <code>{expected}</code>}</td>
            <td>
              <mark>{actual === null ? 'missing' : <code>{actual}</code>}</mark>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The script that shows the failure again, inline for the first failure of a cause; without one, the reason and the deciding request. */
function Reproduction({ check, view, isOpen }: CardProps) {
  const file = view.scriptFile(check);
  const command = rerunCommand(view.checksToRepeat(check));
  const script = check.reproduction?.script ?? null;
  const decisive = view.decisiveExchange(check);
  if (file !== null && script !== null) {
    const line = <code>sh {file}</code>;
    return (
      <>
        <p class="part">Reproduce, in the folder of this report</p>
        {isOpen ? (
          <details class="script">
            <summary>{line}</summary>
            <CopyBlock text={script} />
          </details>
        ) : (
          <p>{line}</p>
        )}
        <p class="quiet">
          The whole check: <code>{command}</code>
        </p>
      </>
    );
  }
  if (decisive === undefined) return null;
  return (
    <>
      <p class="part">Deciding request</p>
      {check.reproduction === null ? null : (
        <p class="quiet">
          This failure has no script, because {check.reproduction.reason}. To repeat the check, run{' '}
          <code>{command}</code>.
        </p>
      )}
      <CopyBlock text={view.curlCommand(decisive)} />
    </>
  );
}

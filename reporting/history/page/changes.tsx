/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Changes } from '../../../specs/formats/changes.ts';
import { Section } from '../../formats/html/elements/text.tsx';
import { formatTime } from '../../text/wording.ts';
import { type ChangeGroup, changeGroups, differenceLine } from '../change-text.ts';
import { compareNights, hasChanges } from '../compare-nights.ts';
import type { LinkedNight } from '../nights.ts';

interface ChangeListProps {
  readonly changes: Changes;
  /** The run that changed something. */
  readonly last: LinkedNight;
  /** Its name within a sentence. */
  readonly name: string;
  /** The runs before it, up to the time of the last of them. */
  readonly before: string;
}

/** What changed with the last run, by kind. */
export function ChangeList({ changes, last, name, before }: ChangeListProps) {
  const groups = changeGroups(changes);
  return (
    <Section id="changes" title="What changed">
      <p class="lead">
        Verdict of {last.report === null ? name : <a href={last.report}>{name}</a>}: {last.night.verdict}.{' '}
        {changes.from === null ? null : `Compared with ${before} ${formatTime(changes.from.startedAt)}:`}
      </p>
      {groups.length === 0 ? (
        <p>{changes.from === null ? 'It is the first run: there is nothing to compare it with.' : 'No change.'}</p>
      ) : null}
      {groups.map((group) => (
        <Group key={group.title} group={group} last={last} />
      ))}
    </Section>
  );
}

function Group({ group: { title, items }, last: { night, report } }: { group: ChangeGroup; last: LinkedNight }) {
  return (
    <div class="card">
      <h3>
        {title} <span class="count">{items.length}</span>
      </h3>
      <ul class="plain changes">
        {items.map(({ subject, text }) => (
          <li key={subject}>
            {report !== null && Object.hasOwn(night.checks, subject) ? (
              <a href={`${report}#${subject}`}>
                <code>{subject}</code>
              </a>
            ) : (
              <code>{subject}</code>
            )}
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The runs with a change, newest first. */
export function ChangeLog({ nights }: { nights: readonly LinkedNight[] }) {
  const all = nights.map(({ night }) => night);
  const entries = nights.flatMap(({ night, report }, at) => {
    const changes = compareNights(all.slice(0, at), night);
    return at > 0 && hasChanges(changes) ? [{ night, report, line: differenceLine(changes) }] : [];
  });
  if (entries.length === 0) return null;
  return (
    <Section id="log" title="Runs with a change" count={`${entries.length} of ${nights.length}`}>
      <div class="card">
        <table class="log">
          <tbody>
            {entries.toReversed().map(({ night, report, line }) => (
              <tr key={night.run.id}>
                <th scope="row">
                  {report === null ? (
                    formatTime(night.run.startedAt)
                  ) : (
                    <a href={report}>{formatTime(night.run.startedAt)}</a>
                  )}
                </th>
                <td>{line}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

import { type Document, isNode, isSeq, type Node, parseDocument, visit, YAMLSeq } from 'yaml';
import type { RecordedVerdicts } from '../../reporting/compare/previous-run.ts';
import { checkCatalogue } from '../../specs/catalogue/catalogue.ts';
import { isPassConclusive, type RunScope } from '../../specs/catalogue/passing-evidence.ts';
import { matchChecks } from '../../specs/catalogue/selection.ts';
import { isStale, type KnownFailure } from '../../specs/formats/baseline.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

const HEAD = `# Known failures, which do not fail the gate: conformance run --baseline FILE.
# An entry fails the gate when its checks pass, when it has expired, or when it names no check.
knownFailures:
`;

/** How a run changes a baseline. */
export interface BaselineChange {
  readonly kept: readonly string[];
  /** Entries whose checks pass now, or that name no check. */
  readonly removed: readonly { id: string; reason: string }[];
  /** Failed checks that no entry covers. */
  readonly added: readonly CheckId[];
}

export interface JudgedRun extends Pick<RecordedVerdicts, 'verdicts' | 'isWhole'> {
  readonly run: RunScope;
}

/** Compares a baseline with the verdicts of a run. Entries whose checks the run did not judge, or of which it saw too little, stay. */
export function compareBaseline(
  entries: readonly KnownFailure[],
  { run, verdicts, isWhole }: JudgedRun,
): BaselineChange {
  const judged = entries.map((entry) => {
    const checks = matchChecks(entry.id);
    const isPassing = isStale(
      entry,
      checks.map((check) => {
        const verdict = verdicts.get(check);
        return verdict === 'pass' && !isPassConclusive(check, run, isWhole) ? undefined : verdict;
      }),
    );
    const reason = checks.length === 0 ? 'names no check' : isPassing ? 'passes now' : null;
    return { id: entry.id, checks, reason };
  });
  const covered = new Set(judged.filter(({ reason }) => reason === null).flatMap(({ checks }) => checks));
  return {
    kept: judged.filter(({ reason }) => reason === null).map(({ id }) => id),
    removed: judged.flatMap(({ id, reason }) => (reason === null ? [] : [{ id, reason }])),
    added: [...checkCatalogue.keys()].filter((id) => verdicts.get(id) === 'fail' && !covered.has(id)),
  };
}

/**
 * The text of the changed baseline, in JSON if it was. Comments and the words of the entries that stay are kept. `words` describes the
 * new entries.
 */
export function changedBaseline(
  text: string | null,
  { removed, added }: BaselineChange,
  words: Omit<KnownFailure, 'id'>,
): string {
  const document = parseDocument(text ?? `${HEAD}  []\n`);
  const found = document.get('knownFailures');
  const list = isSeq(found) ? found : new YAMLSeq();
  if (!isSeq(found)) document.set('knownFailures', list);
  const gone = new Set(removed.map(({ id }) => id));
  const going = list.items.filter((_, at) => gone.has(String(document.getIn(['knownFailures', at, 'id'])).trim()));
  keepSharedValues(document, going.filter(isNode));
  list.items = list.items.filter((item) => !going.includes(item));
  for (const id of added) list.add(document.createNode({ id, ...words }));
  list.flow = list.items.length === 0;
  const isJson = text !== null && isParsedByJson(text);
  const changed = isJson ? `${JSON.stringify(document, null, 2)}\n` : document.toString({ lineWidth: 0 });
  return text?.includes('\r\n') ? changed.replaceAll('\n', '\r\n') : changed;
}

function isParsedByJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Writes out the aliases of values that are about to be removed. */
function keepSharedValues(document: Document, going: readonly Node[]): void {
  const removed = new Set<unknown>();
  for (const node of going) visit(node, (_, each) => void removed.add(each));
  visit(document, {
    Alias: (_, alias) => {
      const source = alias.resolve(document);
      if (!removed.has(source)) return undefined;
      const copy = source?.clone() as Node;
      visit(copy, { Value: (_key, each) => void delete each.anchor });
      return copy;
    },
  });
}

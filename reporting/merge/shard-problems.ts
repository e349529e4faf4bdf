import type { HeaderRecord } from '../../specs/formats/journal.ts';

/** A journal of a shard, with the folder that the user named. */
export interface ShardJournal {
  readonly folder: string;
  readonly header: HeaderRecord;
}

/** Why these journals cannot be merged, one line each; empty if they are all shards of one run. */
export function shardProblems(journals: readonly ShardJournal[]): string[] {
  const whole = journals.filter(({ header }) => header.run.shard === undefined);
  if (whole.length > 0)
    return whole.map(({ folder }) => `${folder}: the run is no shard; name folders of runs with --shard`);
  const differing = COMPARED.flatMap(({ name, textOf, advice }) => differences(journals, name, textOf, advice));
  if (differing.length > 0) return differing;
  // A difference in the operations above shows in the digest, too.
  const files = differences(journals, 'digest of the target file', shownDigest, SAME_FILE_ADVICE);
  return files.length > 0 ? files : numberProblems(journals);
}

/** `sha256:` and enough digits to tell two files apart. */
const SHOWN_DIGEST_LENGTH = 23;

const shownDigest = ({ target }: HeaderRecord): string => target.digest.slice(0, SHOWN_DIGEST_LENGTH);

const SAME_FILE_ADVICE =
  'use the same target file, with the same actors, counterparties and operations, in every shard';

interface ComparedPart {
  readonly name: string;
  readonly textOf: (header: HeaderRecord) => string;
  readonly advice: string;
}

const COMPARED: readonly ComparedPart[] = [
  { name: 'kit', textOf: ({ kit }) => `${kit.name} ${kit.version}`, advice: 'run all shards with the same kit' },
  { name: 'catalogue', textOf: ({ catalogue }) => catalogue.digest, advice: 'run all shards with the same kit' },
  {
    name: 'target',
    textOf: ({ target: { name, baseUrl, implementation } }) =>
      [name, baseUrl, ...Object.values(implementation ?? {})].join(' '),
    advice: 'run all shards against the same target',
  },
  { name: 'seed', textOf: ({ run }) => String(run.seed), advice: 'write the same --seed in every shard' },
  { name: 'profile', textOf: ({ run }) => run.profile, advice: 'write the same --profile in every shard' },
  {
    name: 'filter',
    textOf: ({ run }) => run.filtered.join(',') || 'none',
    advice: 'write the same --only in every shard',
  },
  {
    name: 'option --strict',
    textOf: ({ run }) => (run.strict ? 'on' : 'off'),
    advice: 'write --strict in every shard or in none',
  },
  {
    name: 'field allow of the target file',
    textOf: ({ target }) => JSON.stringify(target.allow),
    advice: 'use the same target file in every shard',
  },
  {
    name: 'list of operations that the target file declares not-offered',
    textOf: ({ target }) => target.notOffered.join(', ') || 'empty',
    advice: 'use the same target file in every shard',
  },
  { name: 'number of shards', textOf: ({ run }) => String(run.shard?.of), advice: 'write the same number of shards' },
];

function differences(
  journals: readonly ShardJournal[],
  name: string,
  textOf: ComparedPart['textOf'],
  advice: string,
): string[] {
  const [first] = journals;
  if (first === undefined) return [];
  const expected = textOf(first.header);
  return journals
    .filter(({ header }) => textOf(header) !== expected)
    .map(
      ({ folder, header }) =>
        `${folder}: the ${name} is ${textOf(header)}, but ${expected} in ${first.folder}; ${advice}`,
    );
}

function numberProblems(journals: readonly ShardJournal[]): string[] {
  const of = journals[0]?.header.run.shard?.of ?? 0;
  return Array.from({ length: of }, (_, at) => at + 1).flatMap((index) => {
    const those = journals.filter(({ header }) => header.run.shard?.index === index).map(({ folder }) => folder);
    if (those.length === 0)
      return [`shard ${index} of ${of} is missing; name the folder of its run too (each shard needs its own --out)`];
    return those.length > 1 ? [`shard ${index} of ${of} is in ${those.join(' and ')}; name one of them`] : [];
  });
}

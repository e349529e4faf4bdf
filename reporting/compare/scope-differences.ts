import type { Comparison, ScopeDifference } from '../../specs/formats/comparison.ts';
import { joinNames } from '../text/wording.ts';
import type { ComparedRun } from './compared-run.ts';

/** What the runs do not share. The selection is named only if nothing else explains it. */
export function scopeDifferences(runs: readonly ComparedRun[]): ScopeDifference[] {
  const isDifferent = (factOf: (run: ComparedRun) => unknown) =>
    new Set(runs.map((run) => JSON.stringify(factOf(run)))).size > 1;
  const facts: readonly [ScopeDifference, (run: ComparedRun) => unknown][] = [
    ['kit', ({ kit }) => [kit.name, kit.version]],
    ['catalogue', ({ catalogue }) => catalogue.digest],
    ['profile', ({ run }) => run.profile],
    ['strict', ({ run }) => run.strict],
  ];
  const found = facts.filter(([, factOf]) => isDifferent(factOf)).map(([difference]) => difference);
  const isExplained = found.includes('catalogue') || found.includes('profile');
  return isExplained || !isDifferent(({ selected }) => selected) ? found : [...found, 'selection'];
}

/** The line for readers, such as `The runs have different profiles (core and full): …`; null if the runs have the same scope. */
export function scopeLine({ scopeDifferences: found, implementations }: Comparison): string | null {
  if (found.length === 0) return null;
  const distinct = (texts: readonly string[]) => {
    const names = [...new Set(texts)];
    return joinNames(names, names.length);
  };
  const names: Record<ScopeDifference, string> = {
    kit: `kits (${distinct(implementations.map(({ kit }) => `${kit.name} ${kit.version}`))})`,
    catalogue: 'catalogues',
    profile: `profiles (${distinct(implementations.map(({ run }) => run.profile))})`,
    strict: 'settings of --strict',
    selection: 'selections of checks',
  };
  const listed = joinNames(
    found.map((difference) => names[difference]),
    found.length,
  );
  const strictness = found.includes('strict') ? '; with --strict, a warning is a failure' : '';
  return `The runs have different ${listed}: a verdict or an observation that a run lacks is not a difference, and a run with fewer checks sees less behaviour${strictness}.`;
}

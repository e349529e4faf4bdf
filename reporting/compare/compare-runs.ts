import type {
  Agreement,
  ComparedObservation,
  ComparedRequirement,
  Comparison,
} from '../../specs/formats/comparison.ts';
import type { Report } from '../../specs/formats/report.ts';
import { groupBy } from '../text/group-by.ts';
import type { ComparedRun } from './compared-run.ts';
import { labelsOf } from './labels.ts';
import { scopeDifferences } from './scope-differences.ts';

type JsonValue = Report['observations'][number]['value'];

/** Compares two or more runs, usually of different implementations, as a pure function. */
export function compareRuns(runs: readonly ComparedRun[]): Comparison {
  if (runs.length < 2) throw new Error('a comparison needs two runs');
  const labels = labelsOf(runs.map(({ target }) => target));
  return {
    schemaVersion: 1,
    implementations: runs.map(({ target, kit, catalogue, run, verdict, headline }, at) => ({
      label: labels[at] ?? '',
      target: {
        name: target.name,
        baseUrl: target.baseUrl,
        ...(target.implementation && { implementation: target.implementation }),
      },
      kit,
      catalogue,
      run: {
        id: run.id,
        startedAt: run.startedAt,
        profile: run.profile,
        filtered: run.filtered,
        strict: run.strict,
      },
      verdict,
      headline,
    })),
    scopeDifferences: scopeDifferences(runs),
    requirements: compareRequirements(runs),
    observations: compareObservations(runs),
  };
}

/** In the order of the first run that has the requirement, by area. */
function compareRequirements(runs: readonly ComparedRun[]): ComparedRequirement[] {
  const byRun = runs.map(({ requirements }) => new Map(requirements.map((each) => [each.id, each])));
  const first = firstById(runs.flatMap(({ requirements }) => requirements));
  const rows = [...first.values()].map(({ id, area, level, statement }): ComparedRequirement => {
    const own = byRun.map((requirements) => requirements.get(id));
    const verdicts = own.map((each) => each?.verdict ?? null);
    return {
      id,
      area,
      level,
      statement,
      isSameText: own.every((each) => each === undefined || (each.level === level && each.statement === statement)),
      agreement: agreementOf(verdicts.map((verdict) => (verdict === 'not-selected' ? null : verdict))),
      verdicts,
    };
  });
  return [...groupBy(rows, ({ area }) => area).values()].flat();
}

function compareObservations(runs: readonly ComparedRun[]): ComparedObservation[] {
  const byRun = runs.map(({ observations }) => groupBy(observations, ({ id }) => id));
  const first = firstById(runs.flatMap(({ observations }) => observations));
  return [...first.values()].map(({ id, question }) => {
    const values = byRun.map((observations) => {
      const own = observations.get(id);
      return own === undefined ? null : behaviours(own.map(({ value }) => value));
    });
    const agreement = agreementOf(values.map((each) => each && JSON.stringify(each)));
    return { id, question, agreement, values };
  });
}

/** Each behaviour once, in one order for all runs. An array is several behaviours of one run. */
function behaviours(values: readonly JsonValue[]): JsonValue[] {
  const texts = values.flat(1).map((value) => JSON.stringify(value));
  return [...new Set(texts)].sort().map((text) => JSON.parse(text) as JsonValue);
}

function firstById<Item extends { readonly id: string }>(items: readonly Item[]): Map<string, Item> {
  const first = new Map<string, Item>();
  for (const item of items) if (!first.has(item.id)) first.set(item.id, item);
  return first;
}

/** `null`: the run has nothing to compare. */
function agreementOf(facts: readonly (string | null)[]): Agreement {
  const found = facts.filter((fact) => fact !== null);
  if (found.length === 0) return 'not-selected';
  if (new Set(found).size > 1) return 'different';
  return found.length === facts.length ? 'equal' : 'incomplete';
}

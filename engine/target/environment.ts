import { ACTOR_NAMES, type ActorName } from '../../specs/target.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** `readOnly` becomes `READ_ONLY`, as in `CONFORMANCE_READ_ONLY_KEY`. */
export function variableStem(actor: ActorName): string {
  return actor.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Fills in every `${NAME}` of every string; names that are not set are told to `onMissing` with their place. */
export function fillReferences(
  value: unknown,
  environment: Environment,
  onMissing: (path: string[], name: string) => void,
  path: string[] = [],
): unknown {
  if (typeof value === 'string') {
    return value.replace(REFERENCE, (_, name: string) => {
      const found = environment[name];
      if (found === undefined || found === '') onMissing(path, name);
      return found ?? '';
    });
  }
  if (Array.isArray(value)) {
    return value.map((item, at) => fillReferences(item, environment, onMissing, [...path, String(at)]));
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, fillReferences(item, environment, onMissing, [...path, name])]),
  );
}

/** The actors that `CONFORMANCE_<ACTOR>_KEY`, `_SECRET` and `_ORGANIZATION_ID` describe. */
export function actorsFromEnvironment(environment: Environment): Record<string, Record<string, string>> {
  const actors: Record<string, Record<string, string>> = {};
  for (const name of ACTOR_NAMES) {
    const stem = `CONFORMANCE_${variableStem(name)}`;
    const fields = Object.entries({
      key: environment[`${stem}_KEY`],
      secret: environment[`${stem}_SECRET`],
      organizationId: environment[`${stem}_ORGANIZATION_ID`],
    }).filter((field): field is [string, string] => field[1] !== undefined && field[1] !== '');
    if (fields.length > 0) actors[name] = Object.fromEntries(fields);
  }
  return actors;
}

import { ACTOR_NAMES, type ActorName } from '../../specs/target-file/target.ts';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

const VARIABLE_SUFFIXES = { key: 'KEY', secret: 'SECRET', organizationId: 'ORGANIZATION_ID' } as const;

export const VARIABLE_REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** `readOnly` becomes `READ_ONLY`, as in `CONFORMANCE_READ_ONLY_KEY`. */
export function variableStem(actor: ActorName): string {
  return actor.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Replaces every `${NAME}` in every string. A variable that is not set becomes an empty text. */
export function fillReferences(value: unknown, environment: EnvironmentVariables): unknown {
  if (typeof value === 'string') return value.replace(VARIABLE_REFERENCE, (_, name: string) => environment[name] ?? '');
  if (Array.isArray(value)) return value.map((item) => fillReferences(item, environment));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillReferences(item, environment)]));
}

/** The actors that `CONFORMANCE_<ACTOR>_KEY`, `_SECRET` and `_ORGANIZATION_ID` describe. */
export function actorsFromEnvironment(environment: EnvironmentVariables): Record<string, Record<string, string>> {
  const actors: Record<string, Record<string, string>> = {};
  for (const name of ACTOR_NAMES) {
    const fields = Object.keys(VARIABLE_SUFFIXES)
      .map((part) => [part, environment[actorVariable(name, part) ?? '']] as const)
      .filter((field): field is [string, string] => field[1] !== undefined && field[1] !== '');
    if (fields.length > 0) actors[name] = Object.fromEntries(fields);
  }
  return actors;
}

/** `CONFORMANCE_READ_ONLY_KEY` for `actors.readOnly.key`; undefined for any other field. */
export function actorVariable(actor: string | undefined, part: string | undefined): string | undefined {
  const name = ACTOR_NAMES.find((each) => each === actor);
  const field =
    part !== undefined && Object.hasOwn(VARIABLE_SUFFIXES, part)
      ? VARIABLE_SUFFIXES[part as keyof typeof VARIABLE_SUFFIXES]
      : undefined;
  return name === undefined || field === undefined ? undefined : `CONFORMANCE_${variableStem(name)}_${field}`;
}

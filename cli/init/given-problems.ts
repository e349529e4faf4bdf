import { credentialProblems } from '../../engine/target/validation/credential-problems.ts';
import { withoutRedundant } from '../../engine/target/validation/problem.ts';
import { schemaProblems } from '../../engine/target/validation/schema-problems.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import { ACTOR_NAMES } from '../../specs/target-file/target.ts';
import { type CredentialPart, type GivenActors, variableFor } from './given-values.ts';

const ACTOR_PARTS = ['key', 'secret', 'organizationId'] as const;

interface CredentialProblem {
  readonly actor: string;
  readonly part: string;
  /** The problem without the field's name. */
  readonly text: string;
}

/** What a target file with these actors would get wrong, one line for each variable. */
export function givenActorProblems(baseUrl: string, given: GivenActors): string[] {
  return findProblems(baseUrl, given).map(({ actor, part, text }) => {
    const name = ACTOR_NAMES.find((each) => each === actor);
    const known = ACTOR_PARTS.find((each) => each === part);
    const variable = name && known ? variableFor(name, known, given) : `actors.${actor}`;
    return `${variable}: ${text}`;
  });
}

/** The problem of one value among the others; undefined if there is none. */
export function credentialProblem(
  baseUrl: string,
  given: GivenActors,
  [name, field]: readonly [ActorName, CredentialPart],
): string | undefined {
  return findProblems(baseUrl, given).find(({ actor, part }) => actor === name && part === field)?.text;
}

function findProblems(baseUrl: string, given: GivenActors): CredentialProblem[] {
  const content = { baseUrl, actors: mapValues(given, ({ value }) => value) };
  const raw = { baseUrl, actors: mapValues(given, ({ variable }) => `\${${variable}}`) };
  return withoutRedundant([...schemaProblems(content, raw), ...credentialProblems(content, raw)]).flatMap(
    ({ path, text }) => {
      const [section, actor, part] = path.map(String);
      const name = ACTOR_NAMES.find((each) => each === actor);
      const value = name && ACTOR_PARTS.some((each) => each === part) && given[name]?.[part as CredentialPart];
      // A value that is not known yet is missing, not wrong.
      if (section !== 'actors' || actor === undefined || part === undefined || !value) return [];
      return [{ actor, part, text: text.replace(`actors.${actor}.${part}: `, '') }];
    },
  );
}

function mapValues(
  given: GivenActors,
  of: (value: { value: string; variable: string }) => string,
): Record<string, Record<string, string>> {
  return Object.fromEntries(
    Object.entries(given).map(([actor, parts]) => [
      actor,
      Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, of(value)])),
    ]),
  );
}

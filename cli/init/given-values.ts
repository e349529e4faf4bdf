import { actorVariable, variableStem } from '../../engine/target/environment-variables.ts';
import { readVariables } from '../../engine/target/variable-sources.ts';
import { ACTOR_NAMES, type ActorName } from '../../specs/target-file/target.ts';

/** A value and the variable to which the target file refers for it. */
export interface GivenValue {
  readonly value: string;
  readonly variable: string;
  readonly source: 'environment' | 'secrets file' | 'terminal';
}

export const CREDENTIAL_PARTS = ['key', 'secret'] as const;
export type CredentialPart = (typeof CREDENTIAL_PARTS)[number];
type ActorPart = CredentialPart | 'organizationId';

/** What the user has given about an actor. */
export type GivenActor = Partial<Record<ActorPart, GivenValue>>;
export type GivenActors = Partial<Record<ActorName, GivenActor>>;

/** The endings of the names that the template uses: SELLER_KEY, SELLER_SECRET, SELLER_ORGANIZATION. */
const SHORT_ENDINGS: Record<ActorPart, string> = { key: 'KEY', secret: 'SECRET', organizationId: 'ORGANIZATION' };

export interface GivenSources {
  environment: Readonly<Record<string, string | undefined>>;
  /** The path that `--secrets` names. */
  secretsFile: string | undefined;
}

/**
 * The actors that the environment and a secrets file describe, as CONFORMANCE_SELLER_KEY or SELLER_KEY. Throws a
 * ConfigurationError if the secrets file cannot be read.
 */
export function readGivenActors({ environment, secretsFile }: GivenSources): GivenActors {
  const { merged } = readVariables(environment, secretsFile);
  const find = (actor: ActorName, part: ActorPart): GivenValue | undefined => {
    const variable = variableNames(actor, part).find((name) => merged[name]);
    const value = variable === undefined ? undefined : merged[variable];
    if (variable === undefined || value === undefined) return undefined;
    return { value, variable, source: environment[variable] === undefined ? 'secrets file' : 'environment' };
  };
  const actors: GivenActors = {};
  for (const actor of ACTOR_NAMES) {
    const parts = (['key', 'secret', 'organizationId'] as const).flatMap((part) => {
      const found = find(actor, part);
      return found === undefined ? [] : [[part, found] as const];
    });
    if (parts.length > 0) actors[actor] = Object.fromEntries(parts);
  }
  return actors;
}

function variableNames(actor: ActorName, part: ActorPart): string[] {
  const long = actorVariable(actor, part);
  return [...(long === undefined ? [] : [long]), `${variableStem(actor)}_${SHORT_ENDINGS[part]}`];
}

/** The variable for a value: the one that holds it, else one that is named like the actor's other variables. */
export function variableFor(actor: ActorName, part: ActorPart, given: GivenActors): string {
  const known = given[actor];
  const named = known?.[part]?.variable;
  if (named !== undefined) return named;
  const isLong = CREDENTIAL_PARTS.some((each) => known?.[each]?.variable.startsWith('CONFORMANCE_'));
  const [long, short = long] = variableNames(actor, part);
  return (isLong ? long : short) ?? '';
}

/** Whether key and secret of an actor are known. */
export function hasCredentials(
  actor: GivenActor | undefined,
): actor is GivenActor & Record<CredentialPart, GivenValue> {
  return actor?.key !== undefined && actor.secret !== undefined;
}

import { badCredentials, type Credentials as Pair } from '../engine/credentials.ts';
import { Blocked, NotApplicable } from '../engine/outcome.ts';
import { ACTOR_NAMES, type ActorName } from '../specs/target.ts';
import type { Lab } from './lab.ts';
import { list } from './operations.ts';

/** The two headers of a request, right or wrong, and whose they are. */
export type Credentials = Pair;

const NEVER_ISSUED_KEY = 'svc_sand_conformance_never_issued_0000';
const NEVER_ISSUED_PRODUCTION_KEY = 'svc_prod_conformance_never_issued_0000';
const NEVER_ISSUED_SECRET = 'conformance-never-issued-secret-0000';

function pair(lab: Lab, of: ActorName = 'seller'): { key: string; secret: string } {
  const actor = lab.target.actors[of];
  if (!actor) throw new Blocked(`actors.${of} of the target file`, `the target file names no actors.${of}`);
  return actor;
}

/** Another character of the same kind, so that only the value is wrong and not its form. */
function otherCharacter(character: string): string {
  if (/[0-8]/.test(character)) return String(Number(character) + 1);
  if (/[a-yA-Y]/.test(character)) return String.fromCharCode(character.charCodeAt(0) + 1);
  return character === '0' ? '1' : 'a';
}

/** Longer than any column for a key, and shorter than any limit for a header. */
const LONG = 300;

function reversed(text: string): string {
  const turned = [...text].reverse().join('');
  if (turned === text) throw new NotApplicable('it is the same from either end');
  return turned;
}

function otherCase(text: string): string {
  const flipped = text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
  if (flipped === text) throw new NotApplicable('it has no letters that could be of other case');
  return flipped;
}

function changedAt(text: string, at: number): string {
  return `${text.slice(0, at)}${otherCharacter(text.charAt(at))}${text.slice(at + 1)}`;
}

const prefixOf = (key: string): string => /^svc_(sand|prod)_/.exec(key)?.[0] ?? '';

function withSecret(lab: Lab, of: ActorName, what: string, change: (secret: string) => string): Credentials {
  const { key, secret } = pair(lab, of);
  return badCredentials(`${of} with ${what}`, key, change(secret));
}

function withKey(lab: Lab, of: ActorName, what: string, change: (key: string) => string): Credentials {
  const { key, secret } = pair(lab, of);
  const changed = change(key);
  if (changed === key) throw new NotApplicable('it is the same then');
  return badCredentials(`${of} with ${what}`, changed, secret);
}

/** Every way for credentials to be wrong that a single actor allows, by name; the seller where none is said. */
export const waysToFail = {
  'both-missing': () => badCredentials('nobody', null, null),
  'key-missing': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} without key`, null, pair(lab, of).secret),
  'secret-missing': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} without secret`, pair(lab, of).key, null),
  'key-empty': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} with an empty key`, '', pair(lab, of).secret),
  'secret-empty': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} with an empty secret`, pair(lab, of).key, ''),
  'key-unknown': () => badCredentials('a key never issued', NEVER_ISSUED_KEY, NEVER_ISSUED_SECRET),
  'key-truncated': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} with a truncated key`, pair(lab, of).key.slice(0, -1), pair(lab, of).secret),
  'key-extended': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} with an extended key`, `${pair(lab, of).key}0`, pair(lab, of).secret),
  'key-prefix-only': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} with the bare key prefix`, 'svc_sand_', pair(lab, of).secret),
  'key-other-case': (lab: Lab, of: ActorName = 'seller') =>
    withKey(lab, of, 'the key in other case', (key) => {
      const prefix = prefixOf(key);
      return `${prefix}${otherCase(key.slice(prefix.length))}`;
    }),
  swapped: (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} with key and secret swapped`, pair(lab, of).secret, pair(lab, of).key),
  'secret-wrong': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} with a wrong secret`, pair(lab, of).key, NEVER_ISSUED_SECRET),
  'secret-other-case': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} with the secret in other case`, pair(lab, of).key, otherCase(pair(lab, of).secret)),
  'secret-truncated': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} with a truncated secret`, pair(lab, of).key, pair(lab, of).secret.slice(0, -1)),
  'secret-extended': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} with an extended secret`, pair(lab, of).key, `${pair(lab, of).secret}0`),
  'secret-first-half': (lab: Lab, of: ActorName = 'seller') =>
    withSecret(lab, of, 'the first half of the secret', (secret) => secret.slice(0, Math.ceil(secret.length / 2))),
  'secret-last-changed': (lab: Lab, of: ActorName = 'seller') =>
    withSecret(lab, of, 'the last character of the secret changed', (secret) => changedAt(secret, secret.length - 1)),
  'secret-first-cut': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} without the first character of the secret`, pair(lab, of).key, pair(lab, of).secret.slice(1)),
  'secret-reordered': (lab: Lab, of: ActorName = 'seller') =>
    withSecret(lab, of, 'the secret from its end to its beginning', reversed),
  'secret-is-key': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} with the key for a secret`, pair(lab, of).key, pair(lab, of).key),
  'secret-long': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} with a secret of ${LONG} characters`, pair(lab, of).key, 'x'.repeat(LONG)),
  'key-long': (lab: Lab, of: ActorName = 'seller') =>
    badCredentials(`${of} with a key of ${LONG} characters`, 'svc_sand_'.padEnd(LONG, 'x'), pair(lab, of).secret),
  'secret-first-changed': (lab: Lab, of: ActorName = 'seller') =>
    withSecret(lab, of, 'the first character of the secret changed', (secret) => changedAt(secret, 0)),
  'secret-middle-changed': (lab: Lab, of: ActorName = 'seller') =>
    withSecret(lab, of, 'a character in the middle of the secret changed', (secret) =>
      changedAt(secret, Math.floor(secret.length / 2)),
    ),
  'secret-prefixed': (lab: Lab, of: ActorName = 'seller') =>
    withSecret(lab, of, 'something before the secret', (secret) => `0${secret}`),
  'key-middle-changed': (lab: Lab, of: ActorName = 'seller') =>
    withKey(lab, of, 'a character in the middle of the key changed', (key) => {
      const prefix = prefixOf(key).length;
      return changedAt(key, prefix + Math.floor((key.length - prefix) / 2));
    }),
  'key-prefixed': (lab: Lab, of: ActorName = 'seller') =>
    withKey(lab, of, 'something before the key', (key) => `0${key}`),
  'key-without-prefix': (lab: Lab, of: ActorName = 'seller') =>
    withKey(lab, of, 'the key without its prefix', (key) => key.slice(prefixOf(key).length)),
  'key-prefix-other-case': (lab: Lab, of: ActorName = 'seller') =>
    withKey(lab, of, 'the prefix of the key in capitals', (key) =>
      key.replace(prefixOf(key), prefixOf(key).toUpperCase()),
    ),
  'key-wildcard': (lab: Lab, of: ActorName = 'seller') =>
    withKey(lab, of, 'a wildcard for a key', (key) => `${prefixOf(key)}%`),
  'key-inherited': (lab: Lab, of: ActorName = 'seller') =>
    withKey(lab, of, 'a name that every object has for a key', () => 'constructor'),
} satisfies Record<string, (lab: Lab, of?: ActorName) => Credentials>;

export type WayToFail = keyof typeof waysToFail;

function others(lab: Lab): ActorName[] {
  const own = pair(lab).secret;
  return ACTOR_NAMES.filter((name) => lab.target.actors[name] && lab.target.actors[name]?.secret !== own);
}

/** The seller's key with the secret of each other actor that the target file holds. */
export function secretsOfOthers(lab: Lab, names = others(lab)): Credentials[] {
  if (names.length === 0) throw new Blocked('actors.buyer of the target file', 'it needs a second key with its secret');
  return names.map((name) =>
    badCredentials(`seller with the secret of ${name}`, pair(lab).key, pair(lab, name).secret),
  );
}

/** The actors beside the seller whose keys are accepted. */
export function otherKeys(lab: Lab): ActorName[] {
  return ACTOR_NAMES.filter((name) => name !== 'seller' && name !== 'revoked' && lab.target.actors[name]);
}

/** The key of each other actor with a secret that none was ever given. */
export function wrongSecretOfEach(lab: Lab): Credentials[] {
  return otherKeys(lab).map((name) =>
    badCredentials(`${name} with a wrong secret`, pair(lab, name).key, NEVER_ISSUED_SECRET),
  );
}

/** Keys that were never issued, of the other environment: the sandbox key's own rest behind its prefix, and one of nobody. */
export function otherPrefixes(lab: Lab): Credentials[] {
  const { key, secret } = pair(lab);
  const unknown = badCredentials('a production key never issued', NEVER_ISSUED_PRODUCTION_KEY, NEVER_ISSUED_SECRET);
  const turned = key.replace('svc_sand_', 'svc_prod_');
  const issued = ACTOR_NAMES.some((name) => lab.target.actors[name]?.key === turned);
  return issued ? [unknown] : [badCredentials('seller with the other prefix', turned, secret), unknown];
}

/** The revoked key with its own secret. */
export function revoked(lab: Lab): Credentials {
  const { key, secret } = pair(lab, 'revoked');
  return badCredentials('a revoked key', key, secret);
}

/** Shades of what is sent everywhere: half a secret is a truncated one. */
const ON_THE_LIST_ONLY: ReadonlySet<string> = new Set([
  'secret-first-half',
  'secret-first-cut',
  'secret-reordered',
  'secret-is-key',
  'secret-long',
  'key-long',
  'secret-first-changed',
  'secret-middle-changed',
  'secret-prefixed',
  'key-middle-changed',
  'key-prefixed',
  'key-without-prefix',
  'key-prefix-other-case',
  'key-wildcard',
  'key-inherited',
]);

/**
 * Every way to fail, for every operation. One that even the list lets through is left out: the checks of AUTH-01 to AUTH-04
 * name it, and it would only repeat itself on every other operation.
 */
export async function refusedEverywhere(lab: Lab): Promise<Credentials[]> {
  // Nothing of production is ever sent with what changes something.
  const sandbox = others(lab)
    .filter((name) => name !== 'production')
    .slice(0, 1);
  const all = [
    ...Object.entries(waysToFail)
      .filter(([name]) => !ON_THE_LIST_ONLY.has(name))
      .flatMap(([, way]) => whereItExists(() => way(lab))),
    ...(sandbox.length > 0 ? secretsOfOthers(lab, sandbox) : []),
    ...(lab.target.actors.revoked ? [revoked(lab)] : []),
  ];
  const onList = await lab.run.once('bad credentials on the list', () =>
    Promise.all(all.map(async (as) => (await list(lab, { page: 0, limit: 1 }, { as })).status === 401)),
  );
  return all.filter((_, at) => onList[at]);
}

/** None where the value does not allow to be wrong in this way: it has no letters of either case. */
export function whereItExists(way: () => Credentials): Credentials[] {
  try {
    return [way()];
  } catch (error) {
    if (error instanceof NotApplicable) return [];
    throw error;
  }
}

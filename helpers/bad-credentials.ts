import { type Credentials, badCredentials } from '../engine/credentials.ts';
import { Blocked, NotApplicable } from '../engine/outcome.ts';
import type { ActorName } from '../specs/target.ts';
import type { Lab } from './lab.ts';

const NEVER_ISSUED_KEY = 'svc_sand_conformance_never_issued_0000';
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

function otherCase(text: string): string {
  const flipped = text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
  if (flipped === text) throw new NotApplicable('the secret has no letters that could be of other case');
  return flipped;
}

/** Every way for credentials to be wrong that a single actor allows, by name. */
export const waysToFail = {
  'both-missing': () => badCredentials('nobody', null, null),
  'key-missing': (lab: Lab) => badCredentials('seller without key', null, pair(lab).secret),
  'secret-missing': (lab: Lab) => badCredentials('seller without secret', pair(lab).key, null),
  'key-empty': (lab: Lab) => badCredentials('seller with an empty key', '', pair(lab).secret),
  'secret-empty': (lab: Lab) => badCredentials('seller with an empty secret', pair(lab).key, ''),
  'key-unknown': () => badCredentials('a key never issued', NEVER_ISSUED_KEY, NEVER_ISSUED_SECRET),
  'key-truncated': (lab: Lab) => badCredentials('seller with a truncated key', pair(lab).key.slice(0, -1), pair(lab).secret),
  'key-extended': (lab: Lab) => badCredentials('seller with an extended key', `${pair(lab).key}0`, pair(lab).secret),
  'key-prefix-only': (lab: Lab) => badCredentials('seller with the bare key prefix', 'svc_sand_', pair(lab).secret),
  swapped: (lab: Lab) => badCredentials('seller with key and secret swapped', pair(lab).secret, pair(lab).key),
  'secret-wrong': (lab: Lab) => badCredentials('seller with a wrong secret', pair(lab).key, NEVER_ISSUED_SECRET),
  'secret-other-case': (lab: Lab) =>
    badCredentials('seller with the secret in other case', pair(lab).key, otherCase(pair(lab).secret)),
  'secret-truncated': (lab: Lab) =>
    badCredentials('seller with a truncated secret', pair(lab).key, pair(lab).secret.slice(0, -1)),
  'secret-extended': (lab: Lab) => badCredentials('seller with an extended secret', pair(lab).key, `${pair(lab).secret}0`),
  'secret-first-half': (lab: Lab) => {
    const { key, secret } = pair(lab);
    return badCredentials('seller with the first half of the secret', key, secret.slice(0, Math.ceil(secret.length / 2)));
  },
  'secret-last-changed': (lab: Lab) => {
    const { key, secret } = pair(lab);
    const changed = `${secret.slice(0, -1)}${otherCharacter(secret.slice(-1))}`;
    return badCredentials('seller with the last character of the secret changed', key, changed);
  },
} satisfies Record<string, (lab: Lab) => Credentials>;

export type WayToFail = keyof typeof waysToFail;

/** The seller's key with the secret of another actor of the target file. */
export function secretOfAnother(lab: Lab): Credentials {
  const other = (['buyer', 'outsider', 'readOnly'] as const).find((name) => lab.target.actors[name]);
  if (!other) throw new Blocked('actors.buyer of the target file', 'it needs a second key with its secret');
  return badCredentials(`seller with the secret of ${other}`, pair(lab).key, pair(lab, other).secret);
}

/** The revoked key with its own secret. */
export function revoked(lab: Lab): Credentials {
  const { key, secret } = pair(lab, 'revoked');
  return badCredentials('a revoked key', key, secret);
}

/** The causes that reach furthest into a server: each is stopped by another line of it. */
export function representativeFailures(lab: Lab): Credentials[] {
  const always = [waysToFail['both-missing'](), waysToFail['key-unknown'](), waysToFail['secret-wrong'](lab), waysToFail['secret-missing'](lab)];
  return lab.target.actors.revoked ? [...always, revoked(lab)] : always;
}

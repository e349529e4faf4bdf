import { ACTOR_NAMES, type ActorName, OPERATION_NAMES } from '../../../specs/target-file/target.ts';
import { isLoopback } from '../network/loopback.ts';
import { textAt, valueAt } from './found-value.ts';
import type { Problem } from './problem.ts';

const CREDENTIAL_PARTS = ['key', 'secret'] as const;
type CredentialPart = (typeof CREDENTIAL_PARTS)[number];

/** The problems of keys and secrets across a target file; `raw` still has its references. */
export function credentialProblems(content: unknown, raw: unknown): Problem[] {
  return [
    ...literalSecretProblems(content, raw),
    ...wrongEnvironmentProblems(content),
    ...inventedKeyProblems(content),
    ...swappedCredentialProblems(content),
    ...CREDENTIAL_PARTS.flatMap((part) => sharedCredentialProblems(content, raw, part)),
    ...productionOperationProblems(content),
  ];
}

function literalSecretProblems(content: unknown, raw: unknown): Problem[] {
  const baseUrl = textAt(content, ['baseUrl']) ?? '';
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl) || isLoopback(baseUrl)) return [];
  return ACTOR_NAMES.map((name) => ['actors', name, 'secret'])
    .filter((path) => textAt(raw, path)?.includes('${') === false)
    .map((path) => ({
      path,
      text: `${path.join('.')}: found a literal secret, which is accepted only for loopback targets; write \${SOME_NAME} and set that variable`,
    }));
}

function wrongEnvironmentProblems(content: unknown): Problem[] {
  return ACTOR_NAMES.flatMap((name) => {
    const path = ['actors', name, 'key'];
    const key = textAt(content, path) ?? '';
    if (name === 'production' && key.startsWith('svc_sand_')) {
      const text = `${path.join('.')}: starts with svc_sand_; write a production key (svc_prod_…), or remove the actor`;
      return [{ path, text }];
    }
    if (name === 'production' || !key.startsWith('svc_prod_')) return [];
    const text = `${path.join('.')}: starts with svc_prod_, but the kit changes data with this key; write a sandbox key (svc_sand_…)`;
    return [{ path, text }];
  });
}

const KEY_PREFIX = /^svc_(sand|prod)_/;

/** The server rejects an invented key like a revoked one, so the checks of revoked keys would pass without a revoked key. */
function inventedKeyProblems(content: unknown): Problem[] {
  const path = ['actors', 'revoked', 'key'];
  const key = textAt(content, path);
  const secret = textAt(content, ['actors', 'revoked', 'secret']) ?? '';
  const own = (['seller', 'buyer'] as const).flatMap((name) => textAt(content, ['actors', name, 'key']) ?? []);
  // A service whose working keys have no prefix may have revoked one without it. Swapped values are another problem.
  if (key === undefined || KEY_PREFIX.test(key) || KEY_PREFIX.test(secret)) return [];
  if (own.length === 0 || !own.every((each) => KEY_PREFIX.test(each))) return [];
  const text = `${path.join('.')}: starts with neither svc_sand_ nor svc_prod_, so no service of this contract has issued it; write a key that was accepted once and then revoked, or remove the actor`;
  return [{ path, text }];
}

/** The contract defines the prefix of keys. A secret that has it, while the key has not, is a key. */
function swappedCredentialProblems(content: unknown): Problem[] {
  return ACTOR_NAMES.flatMap((name) => {
    const [key, secret] = [textAt(content, ['actors', name, 'key']), textAt(content, ['actors', name, 'secret'])];
    if (key === undefined || secret === undefined || KEY_PREFIX.test(key) || !KEY_PREFIX.test(secret)) return [];
    const path = ['actors', name, 'secret'];
    return [{ path, text: `${path.join('.')}: starts like a key, but actors.${name}.key does not; swap the two` }];
  });
}

/** One key or secret under two actors: every check that compares the two would report a false breach. */
function sharedCredentialProblems(content: unknown, raw: unknown, part: CredentialPart): Problem[] {
  const first = new Map<string, ActorName>();
  return ACTOR_NAMES.flatMap((name) => {
    const path = ['actors', name, part];
    const value = textAt(content, path);
    if (value === undefined) return [];
    const other = first.get(value);
    if (other === undefined) {
      first.set(value, name);
      return [];
    }
    const [reference] = /^\$\{\w+\}$/.exec(textAt(raw, path) ?? '') ?? [];
    const isSameVariable = reference !== undefined && reference === textAt(raw, ['actors', other, part]);
    const both = isSameVariable ? `, both ${reference}` : '';
    return [
      {
        path,
        text: `actors.${name}.${part}: is the same as actors.${other}.${part}${both}; ${sharedCredentialAdvice(name, part)}`,
      },
    ];
  });
}

function sharedCredentialAdvice(name: ActorName, part: CredentialPart): string {
  return name === 'production'
    ? `the kit changes data with the other one; write the production ${part}, or remove actors.production`
    : `write a different ${part}, or remove actors.${name}`;
}

/** The kit only reads with the production actor, so no bound operation may contain its credentials. */
function productionOperationProblems(content: unknown): Problem[] {
  const credentials = CREDENTIAL_PARTS.map((part) => textAt(content, ['actors', 'production', part])).filter(
    (each) => each,
  );
  return OPERATION_NAMES.flatMap((name) => {
    const path = ['operations', name];
    const text = JSON.stringify(valueAt(content, path)) ?? '';
    if (!credentials.some((value) => text.includes(JSON.stringify(value).slice(1, -1)))) return [];
    return [{ path, text: `${path.join('.')}: contains a credential of actors.production; remove it` }];
  });
}

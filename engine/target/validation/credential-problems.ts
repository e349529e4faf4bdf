import { ACTOR_NAMES, type ActorName, OPERATION_NAMES } from '../../../specs/target.ts';
import { isLoopback } from '../loopback.ts';
import { textAt, valueAt } from './found-value.ts';
import type { Problem } from './problem.ts';

const CREDENTIAL_PARTS = ['key', 'secret'] as const;
type CredentialPart = (typeof CREDENTIAL_PARTS)[number];

/** What is wrong with the keys and secrets of a target file as a whole; `raw` has its references still. */
export function credentialProblems(content: unknown, raw: unknown): Problem[] {
  return [
    ...literalSecretProblems(content, raw),
    ...wrongEnvironmentProblems(content),
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
      text: `${path.join('.')}: a literal secret is accepted for loopback targets only; write \${SOME_NAME} and set that variable`,
    }));
}

function wrongEnvironmentProblems(content: unknown): Problem[] {
  return ACTOR_NAMES.flatMap((name) => {
    const path = ['actors', name, 'key'];
    const key = textAt(content, path) ?? '';
    if (name === 'production' && key.startsWith('svc_sand_')) {
      const text = `${path.join('.')}: begins with svc_sand_; name a production key (svc_prod_…) or leave the actor out`;
      return [{ path, text }];
    }
    if (name === 'production' || !key.startsWith('svc_prod_')) return [];
    const text = `${path.join('.')}: begins with svc_prod_; the kit writes with it, so it must be a sandbox key (svc_sand_…)`;
    return [{ path, text }];
  });
}

const KEY_PREFIX = /^svc_(sand|prod)_/;

/** Keys begin with a prefix of the contract's; a secret that does in the place of a key is one. */
function swappedCredentialProblems(content: unknown): Problem[] {
  return ACTOR_NAMES.flatMap((name) => {
    const [key, secret] = [textAt(content, ['actors', name, 'key']), textAt(content, ['actors', name, 'secret'])];
    if (key === undefined || secret === undefined || KEY_PREFIX.test(key) || !KEY_PREFIX.test(secret)) return [];
    const path = ['actors', name, 'secret'];
    return [{ path, text: `${path.join('.')}: begins like a key, and actors.${name}.key does not; swap the two` }];
  });
}

/** One key or secret under two actors: every check that compares the two would blame the server. */
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
    ? `the kit writes with the other one, so write the ${part} of a production key, or leave actors.production out`
    : `write a ${part} of its own, or leave actors.${name} out`;
}

/** The kit only ever reads with the production actor: no request that it binds may carry its credentials. */
function productionOperationProblems(content: unknown): Problem[] {
  const credentials = CREDENTIAL_PARTS.map((part) => textAt(content, ['actors', 'production', part])).filter(
    (each) => each,
  );
  return OPERATION_NAMES.flatMap((name) => {
    const path = ['operations', name];
    const text = JSON.stringify(valueAt(content, path)) ?? '';
    if (!credentials.some((value) => text.includes(JSON.stringify(value).slice(1, -1)))) return [];
    return [{ path, text: `${path.join('.')}: holds a credential of actors.production; take it out` }];
  });
}

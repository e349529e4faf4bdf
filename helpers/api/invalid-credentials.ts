import { badCredentials, type Credentials } from '../../engine/model/credentials.ts';
import { Blocked, NotApplicable } from '../../engine/model/outcomes.ts';
import { ACTOR_NAMES, type ActorName } from '../../specs/target-file/target.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult, sharedResultBy } from '../context/shared-result.ts';
import { INVOICES_PATH, listInvoices, listInvoicesBy } from './operations.ts';
import type { ApiResponse } from './responses.ts';
import { responseOrNull } from './responses.ts';

export type { Credentials } from '../../engine/model/credentials.ts';

export const NEVER_ISSUED_KEY = 'svc_sand_conformance_never_issued_0000';
const NEVER_ISSUED_PRODUCTION_KEY = 'svc_prod_conformance_never_issued_0000';
export const NEVER_ISSUED_SECRET = 'conformance-never-issued-secret-0000';

export interface KeyPair {
  key: string;
  secret: string;
}

export function keyPairOf(ctx: CheckContext, of: ActorName = 'seller'): KeyPair {
  const actor = ctx.target.actors[of];
  if (!actor) throw new Blocked(`actors.${of} of the target file`, `the target file has no actors.${of}`);
  return actor;
}

/** Another character of the same type, so that the value is wrong and its form is right. */
function otherCharacter(character: string): string {
  if (/[0-8]/.test(character)) return String(Number(character) + 1);
  if (/[a-yA-Y]/.test(character)) return String.fromCharCode(character.charCodeAt(0) + 1);
  return character === '0' ? '1' : 'a';
}

/** Longer than any column for a key, and shorter than any limit for a header. */
const LONG_VALUE_LENGTH = 300;

function otherCase(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}

function withCharacterChanged(text: string, at: number): string {
  return `${text.slice(0, at)}${otherCharacter(text.charAt(at))}${text.slice(at + 1)}`;
}

const prefixOf = (key: string): string => /^svc_(sand|prod)_/.exec(key)?.[0] ?? '';

export type CredentialVariant = (ctx: CheckContext, of?: ActorName) => Credentials;

/** The credentials of an actor (the seller by default) with one change that makes them invalid. */
export function invalidVariant(
  what: string,
  change: (own: Readonly<KeyPair>) => Partial<Record<keyof KeyPair, string | null>>,
): CredentialVariant {
  return (ctx, of = 'seller') => {
    const own = keyPairOf(ctx, of);
    const { key, secret } = { ...own, ...change(own) };
    if (key === own.key && secret === own.secret)
      throw new NotApplicable(`this change does not alter the credentials of ${of}`);
    return badCredentials(`${of} ${what}`, key, secret);
  };
}

/** The variants that are tried on every operation, by name. */
const commonVariants = {
  'both-missing': () => badCredentials('a caller without credentials', null, null),
  'key-missing': invalidVariant('without key', () => ({ key: null })),
  'secret-missing': invalidVariant('without secret', () => ({ secret: null })),
  'key-empty': invalidVariant('with an empty key', () => ({ key: '' })),
  'secret-empty': invalidVariant('with an empty secret', () => ({ secret: '' })),
  'key-unknown': () => badCredentials('a key never issued', NEVER_ISSUED_KEY, NEVER_ISSUED_SECRET),
  'key-truncated': invalidVariant('with a truncated key', ({ key }) => ({ key: key.slice(0, -1) })),
  'key-extended': invalidVariant('with an extended key', ({ key }) => ({ key: `${key}0` })),
  'key-prefix-only': invalidVariant('with only the key prefix', () => ({ key: 'svc_sand_' })),
  'key-other-case': invalidVariant('with the key in another letter case', ({ key }) => ({
    key: `${prefixOf(key)}${otherCase(key.slice(prefixOf(key).length))}`,
  })),
  swapped: invalidVariant('with key and secret swapped', ({ key, secret }) => ({ key: secret, secret: key })),
  'secret-wrong': invalidVariant('with a wrong secret', () => ({ secret: NEVER_ISSUED_SECRET })),
  'secret-other-case': invalidVariant('with the secret in another letter case', ({ secret }) => ({
    secret: otherCase(secret),
  })),
  'secret-truncated': invalidVariant('with a truncated secret', ({ secret }) => ({ secret: secret.slice(0, -1) })),
  'secret-extended': invalidVariant('with an extended secret', ({ secret }) => ({ secret: `${secret}0` })),
  'secret-last-changed': invalidVariant('with the last character of the secret changed', ({ secret }) => ({
    secret: withCharacterChanged(secret, secret.length - 1),
  })),
} satisfies Record<string, CredentialVariant>;

/** Further variants, only for the list. Half a secret is one form of a truncated secret. */
const listOnlyVariants = {
  'secret-first-half': invalidVariant('with the first half of the secret', ({ secret }) => ({
    secret: secret.slice(0, Math.ceil(secret.length / 2)),
  })),
  'secret-first-cut': invalidVariant('without the first character of the secret', ({ secret }) => ({
    secret: secret.slice(1),
  })),
  'secret-reordered': invalidVariant('with the secret reversed', ({ secret }) => ({
    secret: [...secret].reverse().join(''),
  })),
  'secret-is-key': invalidVariant('with the key as the secret', ({ key }) => ({ secret: key })),
  'secret-long': invalidVariant(`with a secret of ${LONG_VALUE_LENGTH} characters`, () => ({
    secret: 'x'.repeat(LONG_VALUE_LENGTH),
  })),
  'secret-first-changed': invalidVariant('with the first character of the secret changed', ({ secret }) => ({
    secret: withCharacterChanged(secret, 0),
  })),
  'secret-middle-changed': invalidVariant('with a character in the middle of the secret changed', ({ secret }) => ({
    secret: withCharacterChanged(secret, Math.floor(secret.length / 2)),
  })),
  'secret-prefixed': invalidVariant('with a character before the secret', ({ secret }) => ({ secret: `0${secret}` })),
  'key-long': invalidVariant(`with a key of ${LONG_VALUE_LENGTH} characters`, () => ({
    key: 'svc_sand_'.padEnd(LONG_VALUE_LENGTH, 'x'),
  })),
  'key-middle-changed': invalidVariant('with a character in the middle of the key changed', ({ key }) => {
    const prefix = prefixOf(key).length;
    return { key: withCharacterChanged(key, prefix + Math.floor((key.length - prefix) / 2)) };
  }),
  'key-last-changed': invalidVariant('with the last character of the key changed', ({ key }) => ({
    key: withCharacterChanged(key, key.length - 1),
  })),
  'key-prefixed': invalidVariant('with a character before the key', ({ key }) => ({ key: `0${key}` })),
  'key-without-prefix': invalidVariant('without the key prefix', ({ key }) => ({
    key: key.slice(prefixOf(key).length),
  })),
  'key-prefix-other-case': invalidVariant('with the key prefix in capitals', ({ key }) => ({
    key: key.replace(prefixOf(key), prefixOf(key).toUpperCase()),
  })),
  'key-wildcard': invalidVariant('with a wildcard as the key', ({ key }) => ({ key: `${prefixOf(key)}%` })),
  'key-other-letters': invalidVariant('with a non-ASCII letter in the key', ({ key }) => ({
    key: `${key.slice(0, -1)}\u00e9`,
  })),
  'secret-other-letters': invalidVariant('with a non-ASCII letter in the secret', ({ secret }) => ({
    secret: `${secret.slice(0, -1)}\u00e9`,
  })),
  'key-quoted': invalidVariant('with a quotation mark in the key', ({ key }) => ({ key: `${key.slice(0, -1)}'` })),
  'secret-quoted': invalidVariant('with a quotation mark in the secret', ({ secret }) => ({
    secret: `${secret.slice(0, -1)}'`,
  })),
  'key-inherited': invalidVariant('with the word constructor as the key', () => ({ key: 'constructor' })),
} satisfies Record<string, CredentialVariant>;

/** Every variant of invalid credentials that a single actor allows, by name. */
export const invalidCredentials = { ...commonVariants, ...listOnlyVariants };

export type InvalidCredentialsName = keyof typeof invalidCredentials;

function actorsWithOtherSecret(ctx: CheckContext): ActorName[] {
  const own = keyPairOf(ctx).secret;
  return ACTOR_NAMES.filter((name) => ctx.target.actors[name] && ctx.target.actors[name]?.secret !== own);
}

/** The seller's key with the secret of each other actor in the target file. */
export function sellerKeyWithOtherSecrets(ctx: CheckContext, names = actorsWithOtherSecret(ctx)): Credentials[] {
  if (names.length === 0)
    throw new Blocked('actors.buyer of the target file', 'the target file has no second key with a secret');
  return names.map((name) =>
    badCredentials(`seller with the secret of ${name}`, keyPairOf(ctx).key, keyPairOf(ctx, name).secret),
  );
}

/** The valid key of each other actor, with the secret of the seller. */
export function otherKeysWithSellerSecret(ctx: CheckContext): Credentials[] {
  const { secret } = keyPairOf(ctx);
  const names = nonSellerActors(ctx).filter((name) => ctx.target.actors[name]?.secret !== secret);
  return names.map((name) => badCredentials(`${name} with the secret of seller`, keyPairOf(ctx, name).key, secret));
}

/** The actors other than the seller whose keys are valid. */
export function nonSellerActors(ctx: CheckContext): ActorName[] {
  return ACTOR_NAMES.filter((name) => name !== 'seller' && name !== 'revoked' && ctx.target.actors[name]);
}

/** The same without production, because the kit never sends production credentials with a mutation. */
export function nonSellerSandboxActors(ctx: CheckContext): ActorName[] {
  return nonSellerActors(ctx).filter((name) => name !== 'production');
}

/** The key of each other actor with a secret that was never issued. */
export function otherKeysWithWrongSecret(ctx: CheckContext, names = nonSellerActors(ctx)): Credentials[] {
  return names.map((name) =>
    badCredentials(`${name} with a wrong secret`, keyPairOf(ctx, name).key, NEVER_ISSUED_SECRET),
  );
}

/** Production keys that were never issued: the sandbox key with the production prefix, and an invented one. */
export function unissuedProductionKeys(ctx: CheckContext): Credentials[] {
  const { key, secret } = keyPairOf(ctx);
  const unknown = badCredentials('a production key never issued', NEVER_ISSUED_PRODUCTION_KEY, NEVER_ISSUED_SECRET);
  const turned = key.replace('svc_sand_', 'svc_prod_');
  const issued = ACTOR_NAMES.some((name) => ctx.target.actors[name]?.key === turned);
  return issued ? [unknown] : [badCredentials('seller with the other prefix', turned, secret), unknown];
}

/** The revoked key with its own secret. */
export function revokedCredentials(ctx: CheckContext): Credentials {
  const { key, secret } = keyPairOf(ctx, 'revoked');
  return badCredentials('a revoked key', key, secret);
}

/** The revoked key with a secret that was never issued for it. */
export function revokedWithWrongSecret(ctx: CheckContext): Credentials {
  return badCredentials('a revoked key with a wrong secret', keyPairOf(ctx, 'revoked').key, NEVER_ISSUED_SECRET);
}

/** Missing, empty and similar keys are looked up in one place for all operations, so that one operation besides the list is enough. */
const SIMILAR_KEYS = [
  'key-missing',
  'key-empty',
  'key-truncated',
  'key-extended',
  'key-prefix-only',
  'key-other-case',
  'swapped',
] as const;

/** The invalid credentials for every other operation: those of `allRejectedCredentials` without those that have no key, an empty one or one that is similar to a valid one. */
export async function rejectedCredentials(ctx: CheckContext): Promise<Credentials[]> {
  const similar = SIMILAR_KEYS.flatMap((name) => ifSupported(() => commonVariants[name](ctx)));
  const labels = new Set(similar.map(({ actorLabel }) => actorLabel));
  return (await allRejectedCredentials(ctx)).filter(({ actorLabel }) => !labels.has(actorLabel));
}

/** All invalid credentials that the list rejects. AUTH-01 to AUTH-04 report the variants that the list accepts. */
export async function allRejectedCredentials(ctx: CheckContext): Promise<Credentials[]> {
  const sandbox = actorsWithOtherSecret(ctx)
    .filter((name) => name !== 'production')
    .slice(0, 1);
  const all = [
    ...Object.values(commonVariants).flatMap((variant) => ifSupported(() => variant(ctx))),
    ...(sandbox.length > 0 ? sellerKeyWithOtherSecrets(ctx, sandbox) : []),
    ...(ctx.target.actors.revoked ? [revokedCredentials(ctx)] : []),
  ];
  return await rejectedByList(ctx, all);
}

const rejectedByList = sharedResult(credentialsRejectedByList);

/** The subset of these credentials that the list rejects. The checks of the list report the others. */
export async function credentialsRejectedByList(
  ctx: CheckContext,
  all: readonly Credentials[],
): Promise<Credentials[]> {
  const responses = await Promise.all(all.map((as) => responseOrNull(() => listWithInvalidCredentials(ctx, as))));
  return all.filter((_, at) => responses[at]?.status === 401);
}

const UNUSUAL_VALUE = /[^\x21-\x7e]|["',;]/;

/** Whether a proxy may reject the headers with its own response, or close the connection. Exchange rules must not judge that. */
function mayProxyReject({ headers }: Credentials): boolean {
  const isRepeated = new Set(headers.map(([name]) => name)).size < headers.length;
  return isRepeated || headers.some(([, value]) => UNUSUAL_VALUE.test(value));
}

const responseOfList = sharedResultBy((ctx, _label: string, as: Credentials) =>
  mayProxyReject(as) ? listInvoicesBy(ctx, { path: INVOICES_PATH, as }) : listInvoices(ctx, {}, { as }),
);

/** The response of the list to invalid credentials. One request in a run serves all checks that judge this response. */
export async function listWithInvalidCredentials(ctx: CheckContext, as: Credentials): Promise<ApiResponse> {
  const response = await responseOfList(ctx.withSeparateEvidence(), as.actorLabel, as);
  ctx.addEvidence([response]);
  return response;
}

/** Empty if the value does not allow this variant, for example because it has no letters. */
export function ifSupported(variant: () => Credentials): Credentials[] {
  try {
    return [variant()];
  } catch (error) {
    if (error instanceof NotApplicable) return [];
    throw error;
  }
}

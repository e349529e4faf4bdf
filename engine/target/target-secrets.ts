import { ACTOR_NAMES, type Target } from '../../specs/target.ts';
import type { Redactor } from '../evidence/redactor.ts';
import { proxyCredentials } from './proxy-settings.ts';

/** A value of two words, such as `Bearer abc`: a server may show only the second one. */
const AUTHORIZATION_SCHEME = /^(?:basic|bearer|digest|key|token|apikey)\s+(\S+)$/i;

/** Registers every key and secret of the target with the redactor. */
export function addTargetSecrets(target: Target, redactor: Redactor): void {
  for (const name of ACTOR_NAMES) {
    const actor = target.actors[name];
    if (!actor) continue;
    redactor.addSecret(actor.key, `${name}.key`);
    redactor.addSecret(actor.secret, `${name}.secret`);
    // A gateway may combine them in an Authorization header.
    redactor.addSecret(`${actor.key}:${actor.secret}`, `${name}.key:${name}.secret`);
  }
  const [user, password] = proxyCredentials(target.proxy);
  if (password !== '') {
    redactor.addSecret(password, 'proxy.password');
    redactor.addSecret(`${user}:${password}`, 'proxy.user:proxy.password');
  }
  if (target.tls?.passphrase !== undefined) redactor.addSecret(target.tls.passphrase, 'tls.passphrase');
  for (const [name, value] of Object.entries(target.headers)) {
    redactor.addSecretHeader(name);
    redactor.addSecret(value, `headers.${name}`);
    redactor.addSecret(AUTHORIZATION_SCHEME.exec(value)?.[1] ?? '', `headers.${name}`);
  }
}

/** The secret of each actor that the target file holds. */
export function targetSecrets(target: Target): ReadonlyMap<string, string> {
  return new Map(
    ACTOR_NAMES.flatMap((name) => {
      const secret = target.actors[name]?.secret;
      return secret === undefined ? [] : [[name, secret] as const];
    }),
  );
}

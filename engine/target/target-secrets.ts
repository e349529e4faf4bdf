import { ACTOR_NAMES, type Target } from '../../specs/target-file/target.ts';
import type { Redactor } from '../evidence/redactor.ts';
import { proxyCredentials } from './network/proxy-settings.ts';

/** A value of two words, such as `Bearer abc`: a server may show only the second one. */
const AUTHORIZATION_SCHEME = /^(?:basic|bearer|digest|key|token|apikey)\s+(\S+)$/i;

/** A key, a secret or a part of one, with the name of its field. */
interface NamedSecret {
  readonly label: string;
  readonly value: string;
}

/** Every key and secret of the target. */
export function namedSecrets(target: Target): NamedSecret[] {
  const actors = ACTOR_NAMES.flatMap((name) => {
    const actor = target.actors[name];
    if (!actor) return [];
    return [
      { label: `${name}.key`, value: actor.key },
      { label: `${name}.secret`, value: actor.secret },
      // A gateway may combine them in an Authorization header.
      { label: `${name}.key:${name}.secret`, value: `${actor.key}:${actor.secret}` },
    ];
  });
  const [user, password] = proxyCredentials(target.proxy);
  const proxy = [
    { label: 'proxy.password', value: password },
    { label: 'proxy.user:proxy.password', value: `${user}:${password}` },
  ];
  const passphrase = target.tls?.passphrase;
  const headers = Object.entries(target.headers).flatMap(([name, value]) => [
    { label: `headers.${name}`, value },
    { label: `headers.${name}`, value: AUTHORIZATION_SCHEME.exec(value)?.[1] ?? '' },
  ]);
  return [
    ...actors,
    ...(password === '' ? [] : proxy),
    ...(passphrase === undefined ? [] : [{ label: 'tls.passphrase', value: passphrase }]),
    ...headers,
  ];
}

/** Registers every key and secret of the target with the redactor. */
export function addTargetSecrets(target: Target, redactor: Redactor): void {
  for (const { label, value } of namedSecrets(target)) redactor.addSecret(value, label);
  for (const name of Object.keys(target.headers)) redactor.addSecretHeader(name);
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

import { ACTOR_NAMES, type Target } from '../../specs/target.ts';
import type { Redactor } from '../redaction.ts';

/** Tells the redactor every key and secret of the target. */
export function concealTarget(target: Target, redactor: Redactor): void {
  for (const name of ACTOR_NAMES) {
    const actor = target.actors[name];
    if (!actor) continue;
    redactor.conceal(actor.key, `${name}.key`);
    redactor.conceal(actor.secret, `${name}.secret`);
    // As in an Authorization header that some gateway makes of them.
    redactor.conceal(`${actor.key}:${actor.secret}`, `${name}.key:${name}.secret`);
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

import {
  ifSupported,
  invalidCredentials,
  listWithInvalidCredentials,
  otherKeysWithSellerSecret,
  otherKeysWithWrongSecret,
  revokedCredentials,
  revokedWithWrongSecret,
  unissuedProductionKeys,
} from '../../helpers/api/invalid-credentials.ts';
import { listInvoices } from '../../helpers/api/operations.ts';
import { hasSameBody, responsesOf } from '../../helpers/api/responses.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { causeRevealingHeaders } from '../../helpers/authentication/cause-revealing-headers.ts';
import { REPRESENTATIVE_FAILURES } from '../../helpers/authentication/unauthorized.ts';
import { type Check, check } from '../../helpers/context/check.ts';

export const uniformResponseChecks: readonly Check[] = [
  check('AUTH-05.causes', ['seller'], async (ctx) => {
    const variants = Object.values(invalidCredentials).flatMap((variant) => ifSupported(() => variant(ctx)));
    const others = [...otherKeysWithWrongSecret(ctx), ...unissuedProductionKeys(ctx)];
    const ended = ctx.target.actors.revoked ? [revokedCredentials(ctx), revokedWithWrongSecret(ctx)] : [];
    const all = [...variants, ...others, ...otherKeysWithSellerSecret(ctx), ...ended];
    const responses = await responsesOf(all.map((as) => () => listWithInvalidCredentials(ctx, as)));
    const first = responses.find(({ status }) => status === 401);
    if (!first) notApplicable('the server rejects no invalid credentials with 401', { judgedBy: 'AUTH-03.wrong' });
    const other = responses.find((response) => response.status === 401 && !hasSameBody(first, response));
    if (other)
      throw breach(
        ctx,
        other,
        `the same body as the response to "${first.request.actorLabel}": ${first.text}`,
        'the body distinguishes the causes',
        [first],
      );
  }),

  // Two requests per cause separate error codes from values that differ on each request.
  check('AUTH-06.headers', ['seller'], async (ctx) => {
    const ended = ctx.target.actors.revoked ? [revokedCredentials(ctx)] : [];
    const causes = await Promise.all(
      [...REPRESENTATIVE_FAILURES.map((variant) => invalidCredentials[variant](ctx)), ...ended].map(async (as) => {
        const responses = await Promise.all([listWithInvalidCredentials(ctx, as), listInvoices(ctx, {}, { as })]);
        return responses.every(({ status }) => status === 401) ? [responses] : [];
      }),
    );
    const [first, ...others] = causes.flat();
    const [response] = first ?? [];
    if (!first || !response)
      notApplicable('the server rejects no invalid credentials with 401', { judgedBy: 'AUTH-03.wrong' });
    const known = causeRevealingHeaders(first);
    for (const other of others) {
      const now = causeRevealingHeaders(other);
      const name = [...known.keys(), ...now.keys()].find((each) => known.get(each) !== now.get(each));
      const [telling] = other;
      if (name === undefined || !telling) continue;
      const shown = (value = '(absent)') => `${name}: ${value}`;
      const because = `a header distinguishes the causes: ${shown(now.get(name))}; the response to "${response.request.actorLabel}" has ${shown(known.get(name))}`;
      throw breach(ctx, telling, 'no header that distinguishes one cause from another', because, [response]);
    }
  }),
];

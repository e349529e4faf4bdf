import {
  ifSupported,
  invalidCredentials,
  otherKeysWithSellerSecret,
  otherKeysWithWrongSecret,
  revokedCredentials,
  revokedWithWrongSecret,
  unissuedProductionKeys,
} from '../../helpers/api/invalid-credentials.ts';
import { listInvoices } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { hasSameBody } from '../../helpers/api/responses.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { REPRESENTATIVE_FAILURES } from '../../helpers/authentication/unauthorized.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';

/** Names of headers that are there to say what went wrong. */
const CAUSE_REVEALING_HEADER = /(^|[-_])(error|code|reason|cause|failure)([-_]|$)/;

/** What the headers of an answer say went wrong, by their names. */
function causeRevealingHeaders(responses: readonly ApiResponse[]): Map<string, string> {
  const [first, ...again] = responses.map(
    ({ headers }) => new Map(headers.filter(([name]) => CAUSE_REVEALING_HEADER.test(name))),
  );
  // What differs from one request to the next is no code.
  return new Map([...(first ?? [])].filter(([name, value]) => again.every((other) => other.get(name) === value)));
}

export const uniformResponseChecks: readonly Check[] = [
  check('AUTH-05.causes', ['seller'], async (ctx) => {
    const ways = Object.values(invalidCredentials).flatMap((way) => ifSupported(() => way(ctx)));
    const others = [...otherKeysWithWrongSecret(ctx), ...unissuedProductionKeys(ctx)];
    const ended = ctx.target.actors.revoked ? [revokedCredentials(ctx), revokedWithWrongSecret(ctx)] : [];
    const all = [...ways, ...others, ...otherKeysWithSellerSecret(ctx), ...ended];
    const responses = await Promise.all(all.map((as) => listInvoices(ctx, {}, { as })));
    const first = responses.find(({ status }) => status === 401);
    if (!first) notApplicable('no bad credentials are refused with 401; AUTH-01 to AUTH-04 judge that');
    const other = responses.find((response) => response.status === 401 && !hasSameBody(first, response));
    if (other)
      throw breach(
        ctx,
        other,
        `the body that "${first.request.actorLabel}" gets: ${first.text}`,
        'the body tells the causes apart',
        [first],
      );
  }),

  // The same cause twice over has the same code; another cause has no other one.
  check('AUTH-06.headers', ['seller'], async (ctx) => {
    const ended = ctx.target.actors.revoked ? [revokedCredentials(ctx)] : [];
    const causes = await Promise.all(
      [...REPRESENTATIVE_FAILURES.map((way) => invalidCredentials[way](ctx)), ...ended].map(async (as) => {
        const responses = await Promise.all([1, 2].map(() => listInvoices(ctx, {}, { as })));
        return responses.every(({ status }) => status === 401) ? [responses] : [];
      }),
    );
    const [first, ...others] = causes.flat();
    const [response] = first ?? [];
    if (!first || !response) notApplicable('no bad credentials are refused with 401; AUTH-01 to AUTH-04 judge that');
    const told = causeRevealingHeaders(first);
    for (const other of others) {
      const now = causeRevealingHeaders(other);
      const name = [...told.keys(), ...now.keys()].find((each) => told.get(each) !== now.get(each));
      const [telling] = other;
      if (name === undefined || !telling) continue;
      const shown = (value = 'nothing') => `${name}: ${value}`;
      const because = `a header tells the causes apart: ${shown(now.get(name))}, where "${response.request.actorLabel}" gets ${shown(told.get(name))}`;
      throw breach(ctx, telling, 'no code that distinguishes one cause from another, in a header either', because, [
        response,
      ]);
    }
  }),
];

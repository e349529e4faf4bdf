import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import { listEnvelopeRules } from '../../../suites/every-exchange/list-envelope.ts';
import { invoice, listAnswer } from '../../engine/support/responses.ts';
import { ruled } from './rule-cases.ts';

const one = [invoice()];
const sound = listAnswer([invoice({ id: 'inv-1' }), invoice({ id: 'inv-2' })]);
const at = (query: string) => ({ path: `/api/v1/invoices?${query}` });

/** Whether the condition that a script tests holds for a response. */
function holds(filter: string, { status, text }: ApiResponse): boolean {
  const program = `. as $root | ${status} as $status | $root | ${filter}`;
  return execFileSync('jq', [program], { input: text, encoding: 'utf8' }).trim() === 'true';
}

describe('the condition in the script of a list', () => {
  test.each<[string, string, ApiResponse]>([
    ['LIST-01.items', 'an item that is not a record', listAnswer([invoice(), 'inv-2'])],
    ['LIST-01.items', 'no items', listAnswer(undefined)],
    ['LIST-02.total', 'a total as text', listAnswer(one, { total: '1' })],
    ['LIST-02.total', 'a total with a fraction', listAnswer(one, { total: 1.5 })],
    ['LIST-03.total-pages', 'a page too many', listAnswer(one, { total: 40, limit: 20, totalPages: 3 })],
    ['LIST-04.page', 'another page', listAnswer(one, { page: 1 }, at('page=0'))],
    ['LIST-04.page', 'a page as text', listAnswer(one, { page: '0' }, at('limit=20'))],
    ['LIST-05.limit', 'a limit as text', listAnswer(one, { limit: '20' })],
    ['LIST-05.limit', 'a limit above 100', listAnswer(one, { limit: 101 })],
    ['LIST-08.once', 'a record twice', listAnswer([invoice({ id: 'inv-1' }), invoice({ id: 'inv-1' })])],
  ])('%s fails for %s, and holds for a sound list', (id, _, broken) => {
    const rule = listEnvelopeRules.find((each) => each.id === id);
    const ruling = rule && ruled(rule, broken);
    if (ruling == null || ruling === 'kept') throw new Error(`the ruling is ${String(ruling)}`);
    const filter = ruling.expectation?.body ?? '';
    expect(holds(filter, broken)).toBe(false);
    expect(holds(filter, sound)).toBe(true);
  });

  test('LIST-09.only-own shows the invoices of other organizations, and none of a sound list', () => {
    const [own, foreign] = ['org-seller', 'org-third'].map((id) =>
      invoice({ id: `of-${id}`, sellerOrganizationId: id.toUpperCase(), buyerOrganizationId: 'org-fourth' }),
    );
    const rule = listEnvelopeRules.find(({ id }) => id === 'LIST-09.only-own');
    const ruling = rule && ruled(rule, listAnswer([own, foreign]));
    if (ruling == null || ruling === 'kept') throw new Error(`the ruling is ${String(ruling)}`);
    const { body, wrong, fields } = ruling.expectation ?? {};
    expect(holds(`[${wrong} | .id] == ["of-org-third"]`, listAnswer([own, foreign]))).toBe(true);
    expect(holds(`[${wrong}] == []`, listAnswer([own]))).toBe(true);
    // The script creates the invoice that the condition names.
    expect(body).toContain('"of-org-third"');
    expect(fields).toEqual([{ path: ['items', 1] }]);
  });
});

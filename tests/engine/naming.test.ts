import { expect, test } from 'vitest';
import { naming } from '../../engine/naming.ts';

const asked = (request: string, sent: string | null = null) => naming({ request, sent });

test.each([
  ['in its path', asked('GET /api/v1/invoices/17'), '17'],
  ['before a verb', asked('POST /api/v1/invoices/17:cancel'), '17'],
  ['in its query', asked('GET /api/v1/invoice?id=17&full=1'), '17'],
  ['encoded', asked('GET /api/v1/invoices/a%2Fb%20c'), 'a/b c'],
  ['encoded itself', asked('GET /api/v1/invoices/50%25'), '50%25'],
  ['in its body', asked('POST /actions', '{"invoice":"17"}'), '17'],
])('an id is named %s', (_, names, id) => {
  expect(names(id)).toBe(true);
});

test.each([
  ['a part of another one', asked('DELETE /api/v1/invoices/170'), '17'],
  ['the end of another one', asked('DELETE /api/v1/invoices/117'), '17'],
  ['a part of the path of all', asked('DELETE /api/v1/invoices/17'), '1'],
  ['a part of an amount', asked('POST /api/v1/invoices', '{"amount":"17.00"}'), '17'],
  ['empty', asked('GET /api/v1/invoices/'), ''],
  ['missing, behind a lone percent sign', asked('GET /api/v1/invoices/%'), '17'],
])('an id is not named when it is %s', (_, names, id) => {
  expect(names(id)).toBe(false);
});

import { describe, expect, test, vi } from 'vitest';
import { judgeServer } from '../../cli/prove/judge-server.ts';
import { overrideRules, type RuleChange } from '../../reference/overrides/override-rules.ts';
import type { Call } from '../../reference/service/call.ts';
import { rejections } from '../../reference/service/rejection.ts';
import { restrictPermissions } from '../../reference/variations/service/permissions.ts';

// Several at once, because each of them often waits.
vi.setConfig({ maxConcurrency: 4, testTimeout: 180_000 });

const READING = ['list', 'read', 'balance', 'none'];

const inProduction = ({ environment }: Call) => environment === 'PRODUCTION';
/** The sandbox key of one organization may use these operations only. */
const only = (owner: string, operations: readonly string[]): RuleChange =>
  restrictPermissions(
    (call, organization) =>
      organization !== owner ||
      inProduction(call) ||
      call.key.scopes.length === 1 ||
      operations.includes(call.route.name),
  );

const forbid = (): never => {
  throw rejections.lacksPermission();
};

/** Accepts only the first invoice, which the preflight creates. */
const afterOneCreation: RuleChange = overrideRules((honest) => {
  let created = 0;
  return {
    issueInvoice: (call, input, number) => {
      created += 1;
      return created > 1 ? forbid() : honest.issueInvoice(call, input, number);
    },
  };
});

/** The change takes place after the first creation. */
function onlyOnceThen(change: RuleChange): RuleChange {
  return (honest) => {
    const changed = change(honest);
    let isChanged = false;
    return {
      ...honest,
      issueInvoice: (call, input, number) => {
        isChanged = true;
        return honest.issueInvoice(call, input, number);
      },
      authorize: (call) => (isChanged ? changed : honest).authorize(call),
    };
  };
}

/** Two restrictions that block different checks are tried on one server. */
const both =
  (one: RuleChange, other: RuleChange): RuleChange =>
  (honest) =>
    other(one(honest));

/** Each server keeps every requirement; the keys named first lack permissions, the others may be named as well. */
const servers: [string, RuleChange, string[]][] = [
  [
    "the seller's key may only read after the creation of the preflight",
    onlyOnceThen(only('Seller', READING)),
    ['seller'],
  ],
  ["the seller's key may do nothing after the creation of the preflight", onlyOnceThen(only('Seller', [])), ['seller']],
  [
    "the seller's key may not list",
    restrictPermissions(
      ({ route, ...call }, organization) =>
        organization !== 'Seller' || inProduction(call as Call) || route.name !== 'list',
    ),
    ['seller', 'readOnly'],
  ],
  [
    "the buyer's key may only read, and no key may reset",
    both(
      only('Buyer', READING),
      restrictPermissions(({ route }) => route.name !== 'reset'),
    ),
    ['buyer', 'seller'],
  ],
  ["the buyer's key may do nothing", only('Buyer', []), ['buyer']],
  [
    "the outsider's key and the production key may do nothing",
    both(
      only('Outsider', []),
      restrictPermissions((call) => !inProduction(call)),
    ),
    ['outsider', 'production'],
  ],
  ['no key may subscribe', restrictPermissions(({ route }) => route.name !== 'subscribe'), ['seller', 'outsider']],
  [
    'no key may use the treasury',
    restrictPermissions(({ route }) => !['balance', 'withdraw'].includes(route.name)),
    ['seller', 'buyer', 'production'],
  ],
  ['no key may create a second invoice, and the server tests this last', afterOneCreation, ['seller', 'production']],
  [
    'the production key may not list',
    restrictPermissions((call) => !inProduction(call) || call.route.name !== 'list'),
    ['production'],
  ],
  [
    'no key may perform actions, and the server tests this last',
    overrideRules((honest) => ({ transition: (...given) => honest.transition(...given) && forbid() })),
    ['seller'],
  ],
];

describe.concurrent('a key without a permission blocks checks, and nothing fails, if', () => {
  test.each(servers)('%s', async (_, rules, lacking) => {
    const judged = await judgeServer({ rules });
    const wrong = judged.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));
    expect(wrong.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    const blockers = new Set(judged.flatMap(({ blockedBy }) => (blockedBy === null ? [] : [blockedBy])));
    expect(blockers).toContain(`actors.${lacking[0]} of the target file`);
    const allowed = lacking.map((name) => `actors.${name} of the target file`);
    expect([...blockers].filter((field) => !allowed.includes(field))).toEqual([]);
  });
});

test.each([
  ['only read', only('Seller', READING)],
  ['do nothing', only('Seller', [])],
])("a seller's key that may %s ends in the preflight", async (_, rules) => {
  const judged = await judgeServer({ rules });
  expect(judged.filter(({ verdict }) => verdict !== 'error')).toEqual([]);
  expect(judged[0]?.reason).toMatch(/^the preflight rejects the target file: actors\.seller: this key may not/);
});

describe('a 403 is a failure', () => {
  test('if the same key may use the operation', async () => {
    const judged = await judgeServer(
      {
        rules: overrideRules((honest) => ({
          findInvoice: (call, id) => (call.world.invoices.has(id) ? honest.findInvoice(call, id) : forbid()),
        })),
      },
      ['ISO-05.read'],
    );
    expect(judged).toMatchObject([{ id: 'ISO-05.read', verdict: 'fail' }]);
  });
});

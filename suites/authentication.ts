import { environment, ownEnvironment } from '../helpers/api/environment-header.ts';
import {
  type Credentials,
  otherKeys,
  otherPrefixes,
  refusedEverywhere,
  refusedOnList,
  revoked,
  revokedWithWrongSecret,
  sandboxKeys,
  secretOfSeller,
  secretsOfOthers,
  type WayToFail,
  waysToFail,
  whereItExists,
  wrongSecretOfEach,
} from '../helpers/api/invalid-credentials.ts';
import {
  act,
  binding,
  INVOICES,
  list,
  listAt,
  postInvoice,
  readInvoice,
  treasury,
  WAYS_TO_LIST,
} from '../helpers/api/operations.ts';
import { accepted } from '../helpers/api/response-status.ts';
import { type Answer, bodyMember, equalBodies } from '../helpers/api/responses.ts';
import { OTHER_PATHS } from '../helpers/api/undeclared-paths.ts';
import { breach, expectRefused, expectThat } from '../helpers/assert/expect.ts';
import { notApplicable } from '../helpers/assert/not-judged.ts';
import { type Check, check, checkIn } from '../helpers/check.ts';
import type { Lab } from '../helpers/context/check-context.ts';
import { callWitnesses } from '../helpers/controls/untouched-invoices.ts';
import { expectNoneCreated } from '../helpers/creation/rejected-creation.ts';
import { validBody } from '../helpers/data/invoice-body.ts';
import { isUndeployed } from '../helpers/environments/production.ts';
import { badReset, expectStillLive } from '../helpers/environments/sandbox-reset.ts';
import { borrowing } from '../helpers/fixtures/borrowed-invoices.ts';
import { original } from '../helpers/idempotency/replay.ts';
import { lookSettled } from '../helpers/invoices/find-invoice.ts';
import { freshInvoice, operationsTo, stateOffering } from '../helpers/invoices/invoices.ts';
import { absentId } from '../helpers/invoices/nonexistent-id.ts';
import { expectUnmoved } from '../helpers/lifecycle/rejected-action.ts';
import { expectNothingPaid } from '../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import { acceptedSubscription, subscribe } from '../helpers/webhooks/subscriptions.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import { type InvoiceAction, lifecycle } from '../specs/lifecycle.ts';

/** The list, with valid credentials but for one defect; the preflight has shown the valid ones to be accepted. */
function badOnList(id: CheckId, credentials: (lab: Lab) => Credentials): Check {
  return check(id, ['seller'], async (lab) => expectRefused(lab, await list(lab, {}, { as: credentials(lab) }), [401]));
}

function refusedWay(id: CheckId, way: WayToFail): Check {
  return badOnList(id, waysToFail[way]);
}

/** The header that is meant for dashboard sessions makes nobody known. */
function missingOnList(id: CheckId, way: WayToFail): Check {
  return check(id, ['seller'], async (lab) => {
    for (const headers of [[], ownEnvironment])
      expectRefused(lab, await list(lab, {}, { as: waysToFail[way](lab), headers }), [401]);
  });
}

function refusedWays(id: CheckId, ways: readonly WayToFail[]): Check {
  return check(id, ['seller'], async (lab) => {
    const failures = ways.flatMap((way) => whereItExists(() => waysToFail[way](lab)));
    if (failures.length === 0) notApplicable('the seller’s key and secret cannot be wrong in any of these ways');
    for (const answer of await Promise.all(failures.map((as) => list(lab, {}, { as }))))
      expectRefused(lab, answer, [401]);
  });
}

/** 401 to each; whether production is deployed at all may be asked first. */
function expectUnauthorized(lab: Lab, answers: readonly Answer[]): void {
  for (const answer of answers) if (!isUndeployed(answer)) expectRefused(lab, answer, [401]);
}

/** The other keys of the target file may be looked up by other means: those of another environment, of another scope. */
function ofEachKey(id: CheckId, ways: readonly WayToFail[]): Check {
  return check(id, ['seller'], async (lab) => {
    const others = otherKeys(lab);
    if (others.length === 0) notApplicable('the target file names no other key');
    const failures = others.flatMap((name) => ways.flatMap((way) => whereItExists(() => waysToFail[way](lab, name))));
    expectUnauthorized(lab, await Promise.all(failures.map((as) => list(lab, {}, { as }))));
  });
}

/** By what names credentials are found in a query. */
const IN_QUERY = [
  ['X-API-Key', 'X-API-Secret'],
  ['apiKey', 'apiSecret'],
  ['api_key', 'api_secret'],
  ['key', 'secret'],
] as const;

/** What proxies say of those for whom they ask: somebody of the house needs no secret to some guards. */
const FROM_WITHIN = [
  [['X-Forwarded-For', '127.0.0.1']],
  [
    ['X-Real-IP', '127.0.0.1'],
    ['Forwarded', 'for=127.0.0.1'],
  ],
] as const;

const causes = [
  missingOnList('AUTH-01.both-missing', 'both-missing'),
  missingOnList('AUTH-01.key-missing', 'key-missing'),
  missingOnList('AUTH-01.secret-missing', 'secret-missing'),
  refusedWay('AUTH-01.key-empty', 'key-empty'),
  refusedWay('AUTH-01.secret-empty', 'secret-empty'),
  refusedWay('AUTH-02.unknown', 'key-unknown'),
  check('AUTH-02.other-prefix', ['seller'], async (lab) => {
    expectUnauthorized(lab, await Promise.all(otherPrefixes(lab).map((as) => list(lab, {}, { as }))));
  }),
  refusedWay('AUTH-02.truncated', 'key-truncated'),
  refusedWay('AUTH-02.extended', 'key-extended'),
  refusedWay('AUTH-02.other-case', 'key-other-case'),
  refusedWay('AUTH-02.swapped', 'swapped'),
  refusedWay('AUTH-02.prefix-only', 'key-prefix-only'),
  refusedWay('AUTH-02.long', 'key-long'),
  check('AUTH-02.other-letters', ['seller'], async (lab) => {
    // Which bytes a header may hold, what stands in front may decide, in words of its own.
    for (const way of ['key-other-letters', 'secret-other-letters', 'key-quoted', 'secret-quoted'] as const)
      expectRefused(lab, await listAt(lab, INVOICES, { as: waysToFail[way](lab) }), [401, 400]);
  }),
  check('AUTH-03.wrong', ['seller'], async (lab) => {
    const as = waysToFail['secret-wrong'](lab);
    expectRefused(lab, await list(lab, {}, { as }), [401]);
    // Who names an environment is no better known for it.
    expectRefused(lab, await list(lab, {}, { as, headers: ownEnvironment }), [401]);
    expectUnauthorized(lab, await Promise.all(wrongSecretOfEach(lab).map((other) => list(lab, {}, { as: other }))));
  }),
  refusedWay('AUTH-03.other-case', 'secret-other-case'),
  refusedWay('AUTH-03.truncated', 'secret-truncated'),
  refusedWay('AUTH-03.extended', 'secret-extended'),
  refusedWay('AUTH-03.first-half', 'secret-first-half'),
  refusedWay('AUTH-03.last-changed', 'secret-last-changed'),
  refusedWay('AUTH-03.first-cut', 'secret-first-cut'),
  refusedWay('AUTH-03.reordered', 'secret-reordered'),
  refusedWay('AUTH-03.is-key', 'secret-is-key'),
  refusedWay('AUTH-03.long', 'secret-long'),

  refusedWays('AUTH-02.altered', [
    'key-middle-changed',
    'key-prefixed',
    'key-without-prefix',
    'key-prefix-other-case',
    'key-wildcard',
    'key-inherited',
  ]),
  refusedWays('AUTH-03.altered', ['secret-first-changed', 'secret-middle-changed', 'secret-prefixed']),

  check('AUTH-01.other-schemes', ['seller'], async (lab) => {
    const { key, secret } = lab.target.actors.seller ?? { key: '', secret: '' };
    const basic = Buffer.from(`${key}:${secret}`).toString('base64');
    for (const scheme of [`Basic ${basic}`, `Bearer ${secret}`, `Bearer ${key}`, `Bearer ${key}:${secret}`]) {
      const extra = { as: waysToFail['both-missing'](), headers: [['Authorization', scheme]] as const };
      expectRefused(lab, await list(lab, {}, extra), [401]);
    }
  }),

  check('AUTH-01.other-paths', ['seller'], async (lab) => {
    // None of these is declared: whatever comes for them, it is no invoices for nobody.
    const answers = await Promise.all(
      OTHER_PATHS.map((path) => listAt(lab, path, { as: waysToFail['both-missing']() })),
    );
    for (const answer of answers) {
      const listed = accepted(answer) && Array.isArray(bodyMember(answer, 'items'));
      const because = 'it shows a list to a request without credentials';
      expectThat(lab, !listed, answer, 'no list, and 401 if the path is served at all', because);
    }
  }),

  ofEachKey('AUTH-01.each-key', ['secret-missing', 'secret-empty', 'key-missing']),
  ofEachKey('AUTH-02.each-key', ['key-truncated', 'key-extended', 'key-other-case']),
  ofEachKey('AUTH-03.each-key', ['secret-truncated', 'secret-extended', 'secret-other-case']),

  check('AUTH-03.of-another-key', ['seller'], async (lab) => {
    for (const as of secretsOfOthers(lab)) expectRefused(lab, await list(lab, {}, { as }), [401]);
    // One may be looked up among those of the organization, or of all environments.
    expectUnauthorized(lab, await Promise.all(secretOfSeller(lab).map((as) => list(lab, {}, { as }))));
  }),

  check('AUTH-03.forwarded', ['seller'], async (lab) => {
    for (const headers of FROM_WITHIN) {
      if (!accepted(await list(lab, {}, { headers }))) continue;
      for (const way of ['secret-wrong', 'both-missing', 'secret-empty'] as const)
        expectRefused(lab, await list(lab, {}, { as: waysToFail[way](lab), headers }), [401]);
    }
  }),

  check('AUTH-01.in-query', ['seller'], async (lab) => {
    const { key, secret } = lab.target.actors.seller ?? { key: '', secret: '' };
    const queries = IN_QUERY.map(([first, second]) => ({ [first]: key, [second]: secret }));
    const answers = await Promise.all(
      queries.map((query) => list(lab, query as object, { as: waysToFail['both-missing']() })),
    );
    if (answers.every(({ status }) => status === 400))
      notApplicable('a parameter that is not declared is refused before anybody is asked who they are');
    for (const answer of answers) expectRefused(lab, answer, [401, 400]);
  }),

  check('AUTH-04.revoked', ['revoked'], async (lab) => {
    const as = revoked(lab);
    expectRefused(lab, await list(lab, {}, { as }), [401]);
    // Who names its own environment is no less revoked for it.
    const headers = environment(lab.target.actors.revoked?.key.startsWith('svc_prod_') ? 'PRODUCTION' : 'SANDBOX');
    expectUnauthorized(lab, [await list(lab, {}, { as, headers })]);
    expectUnauthorized(lab, [await list(lab, {}, { as: revokedWithWrongSecret(lab) })]);
  }),
];

const TELLING = ['both-missing', 'key-unknown', 'secret-wrong'] as const;

const REPLAYED_WITH = ['both-missing', 'key-missing', 'secret-wrong'] as const;

type Refusal = (lab: Lab, as: Credentials) => Promise<Answer>;

async function expectAllRefused(lab: Lab, ask: Refusal): Promise<void> {
  const failures = await refusedEverywhere(lab);
  const answers = await Promise.all(failures.map((as) => ask(lab, as)));
  for (const answer of answers) expectRefused(lab, answer, [401]);
}

/** The action that the state offers, so that a server which forgets to ask would carry it out. */
function refusedAction(action: InvoiceAction): Check {
  const state = stateOffering(action);
  return check(`AUTH-07.${action}` as CheckId, ['connection', ...operationsTo(state), action], async (lab) => {
    // What moves invoices by itself shows by those that were there before.
    await callWitnesses(lab);
    await borrowing(lab, state, async (invoice) => {
      const { record: before } = await lookSettled(lab, invoice);
      await expectAllRefused(lab, (_, as) => act(lab, action, invoice.id, { as }));
      await expectUnmoved(lab, invoice, before);
    });
  });
}

async function expectNoCreation(lab: Lab, failures: readonly Credentials[]): Promise<void> {
  const bodies = failures.map(() => validBody(lab));
  const answers = await Promise.all(failures.map((as, at) => postInvoice(lab, bodies[at], { as })));
  for (const answer of answers) expectRefused(lab, answer, [401]);
  await expectNoneCreated(lab, answers, bodies);
}

const operations = [
  check('AUTH-07.list', ['seller'], async (lab) => {
    const ended = lab.target.actors.revoked ? await refusedOnList(lab, [revoked(lab)]) : [];
    const failures = [...TELLING.map((way) => waysToFail[way](lab)), ...ended];
    const asked = failures.flatMap((as) => WAYS_TO_LIST.map((query) => list(lab, query, { as })));
    for (const answer of await Promise.all(asked)) expectRefused(lab, answer, [401]);
  }),
  check('AUTH-07.create', ['connection'], async (lab) => {
    const failures = await refusedEverywhere(lab);
    // Which key may create is asked of those alone who can say who they are.
    const wrongSecrets = await refusedOnList(lab, wrongSecretOfEach(lab, sandboxKeys(lab)));
    // AUTH-04.revoked-write owns the revoked key.
    const ended = lab.target.actors.revoked ? revoked(lab).as : null;
    await expectNoCreation(lab, [...failures.filter(({ as }) => as !== ended), ...wrongSecrets]);
    // What was answered once is no answer to one who cannot say who they are.
    const { body } = await original(lab);
    const replayed = new Set(REPLAYED_WITH.map((way) => waysToFail[way](lab).as));
    for (const as of failures.filter((each) => replayed.has(each.as))) {
      expectRefused(lab, await postInvoice(lab, body, { as }), [401]);
    }
  }),
  check('AUTH-04.revoked-write', ['connection', 'revoked'], (lab) => expectNoCreation(lab, [revoked(lab)])),
  check('AUTH-07.read', ['connection', 'read'], async (lab) => {
    const { id } = await freshInvoice(lab);
    await expectAllRefused(lab, (_, as) => readInvoice(lab, id, { as }));
    // With anything of production nothing but a GET is sent.
    if (binding(lab, 'read').method !== 'GET') return;
    expectUnauthorized(lab, await Promise.all(wrongSecretOfEach(lab).map((as) => readInvoice(lab, id, { as }))));
  }),
  ...lifecycle.actions.map(refusedAction),
  check('AUTH-07.webhook-create', ['seller'], async (lab) => {
    const url = await acceptedSubscription(lab);
    await expectAllRefused(lab, (_, as) => subscribe(lab, { url }, { as }));
  }),
  check('AUTH-07.treasury-balance', ['treasuryBalance'], (lab) =>
    expectAllRefused(lab, (_, as) => treasury(lab, 'treasuryBalance', { as })),
  ),
  check('AUTH-07.treasury-withdraw', ['treasuryWithdraw'], async (lab) => {
    const extras = (await refusedEverywhere(lab)).map((as) => ({ as }));
    await expectNothingPaid(lab, 'unauthorized', extras, (answer) => expectRefused(lab, answer, [401]));
  }),
  checkIn('reset', 'AUTH-07.reset', ['reset', 'seller'], async (lab) => {
    const { answers, after } = await badReset(lab, 'credentials');
    for (const answer of answers) expectRefused(lab, answer, [401]);
    expectStillLive(lab, after);
  }),
];

const oneBody = [
  check('AUTH-05.causes', ['seller'], async (lab) => {
    const ways = Object.values(waysToFail).flatMap((way) => whereItExists(() => way(lab)));
    const others = [...wrongSecretOfEach(lab), ...otherPrefixes(lab)];
    const ended = lab.target.actors.revoked ? [revoked(lab), revokedWithWrongSecret(lab)] : [];
    const all = [...ways, ...others, ...secretOfSeller(lab), ...ended];
    const answers = await Promise.all(all.map((as) => list(lab, {}, { as })));
    const first = answers.find(({ status }) => status === 401);
    if (!first) notApplicable('no bad credentials are refused with 401; AUTH-01 to AUTH-04 judge that');
    const other = answers.find((answer) => answer.status === 401 && !equalBodies(first, answer));
    if (other)
      throw breach(
        lab,
        other,
        `the body that "${first.ask.as}" gets: ${first.text}`,
        'the body tells the causes apart',
        [first],
      );
  }),
];

/** Names of headers that are there to say what went wrong. */
const TELLS = /(^|[-_])(error|code|reason|cause|failure)([-_]|$)/;

/** What the headers of an answer say went wrong, by their names. */
function toldInHeaders(answers: readonly Answer[]): Map<string, string> {
  const [first, ...again] = answers.map(({ headers }) => new Map(headers.filter(([name]) => TELLS.test(name))));
  // What differs from one request to the next is no code.
  return new Map([...(first ?? [])].filter(([name, value]) => again.every((other) => other.get(name) === value)));
}

/** The same cause twice over has the same code; another cause has no other one. */
const noCodeInHeaders = check('AUTH-06.headers', ['seller'], async (lab) => {
  const ended = lab.target.actors.revoked ? [revoked(lab)] : [];
  const causes = await Promise.all(
    [...TELLING.map((way) => waysToFail[way](lab)), ...ended].map(async (as) => {
      const answers = await Promise.all([1, 2].map(() => list(lab, {}, { as })));
      return answers.every(({ status }) => status === 401) ? [answers] : [];
    }),
  );
  const [first, ...others] = causes.flat();
  const [answer] = first ?? [];
  if (!first || !answer) notApplicable('no bad credentials are refused with 401; AUTH-01 to AUTH-04 judge that');
  const told = toldInHeaders(first);
  for (const other of others) {
    const now = toldInHeaders(other);
    const name = [...told.keys(), ...now.keys()].find((each) => told.get(each) !== now.get(each));
    const [telling] = other;
    if (name === undefined || !telling) continue;
    const shown = (value = 'nothing') => `${name}: ${value}`;
    const because = `a header tells the causes apart: ${shown(now.get(name))}, where "${answer.ask.as}" gets ${shown(told.get(name))}`;
    throw breach(lab, telling, 'no code that distinguishes one cause from another, in a header either', because, [
      answer,
    ]);
  }
});

/** A request with two defects, of which the credentials are to be told. */
function judgedFirst(id: CheckId, needs: Check['needs'], ask: (lab: Lab, as: Credentials) => Promise<Answer>): Check {
  return check(id, needs, async (lab) => {
    const ended = lab.target.actors.revoked ? await refusedOnList(lab, [revoked(lab)]) : [];
    for (const as of [...TELLING.map((way) => waysToFail[way](lab)), ...ended])
      expectRefused(lab, await ask(lab, as), [401]);
  });
}

const precedence = [
  judgedFirst('AUTH-08.before-body', ['seller'], (lab, as) => postInvoice(lab, '{"amount": oops', { as })),
  judgedFirst('AUTH-08.before-environment', ['seller'], (lab, as) =>
    list(lab, {}, { as, headers: environment('MOON') }),
  ),
  check('AUTH-08.before-mismatch', ['seller'], async (lab) => {
    const ended = lab.target.actors.revoked ? await refusedOnList(lab, [revoked(lab)]) : [];
    const asked = [...TELLING.map((way) => waysToFail[way](lab)), ...ended].map((as) => {
      const other = as.headers.some(([, value]) => value.startsWith('svc_prod_')) ? 'SANDBOX' : 'PRODUCTION';
      return list(lab, {}, { as, headers: environment(other) });
    });
    expectUnauthorized(lab, await Promise.all(asked));
  }),
  judgedFirst('AUTH-10.read', ['seller', 'read'], async (lab, as) => readInvoice(lab, await absentId(lab), { as })),
  judgedFirst('AUTH-10.submit', ['seller', 'submit'], async (lab, as) =>
    act(lab, 'submit', await absentId(lab), { as }),
  ),
];

export const authentication: readonly Check[] = [...causes, ...oneBody, noCodeInHeaders, ...operations, ...precedence];

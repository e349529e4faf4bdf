import { ownEnvironment } from '../../helpers/api/environment-header.ts';
import type { Credentials, WayToFail } from '../../helpers/api/invalid-credentials.ts';
import {
  otherKeys,
  otherPrefixes,
  secretOfSeller,
  secretsOfOthers,
  waysToFail,
  whereItExists,
  wrongSecretOfEach,
} from '../../helpers/api/invalid-credentials.ts';
import { INVOICES, list, listAt } from '../../helpers/api/operations.ts';
import { bodyMember, isSuccess } from '../../helpers/api/responses.ts';
import { OTHER_PATHS } from '../../helpers/api/undeclared-paths.ts';
import { expectRefused, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { expectUnauthorized } from '../../helpers/authentication/unauthorized.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

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

export const invalidCredentialsChecks: readonly Check[] = [
  missingOnList('AUTH-01.both-missing', 'both-missing'),

  missingOnList('AUTH-01.key-missing', 'key-missing'),

  missingOnList('AUTH-01.secret-missing', 'secret-missing'),

  refusedWay('AUTH-01.key-empty', 'key-empty'),

  refusedWay('AUTH-01.secret-empty', 'secret-empty'),

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
      const listed = isSuccess(answer) && Array.isArray(bodyMember(answer, 'items'));
      const because = 'it shows a list to a request without credentials';
      expectThat(lab, !listed, answer, 'no list, and 401 if the path is served at all', because);
    }
  }),

  ofEachKey('AUTH-01.each-key', ['secret-missing', 'secret-empty', 'key-missing']),

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

  refusedWay('AUTH-02.unknown', 'key-unknown'),

  check('AUTH-02.other-prefix', ['seller'], async (lab) => {
    expectUnauthorized(lab, await Promise.all(otherPrefixes(lab).map((as) => list(lab, {}, { as }))));
  }),

  refusedWay('AUTH-02.truncated', 'key-truncated'),

  refusedWay('AUTH-02.extended', 'key-extended'),

  refusedWay('AUTH-02.letter-case', 'key-other-case'),

  refusedWay('AUTH-02.swapped', 'swapped'),

  refusedWay('AUTH-02.prefix-only', 'key-prefix-only'),

  refusedWay('AUTH-02.long', 'key-long'),

  check('AUTH-02.special-characters', ['seller'], async (lab) => {
    // Which bytes a header may hold, what stands in front may decide, in words of its own.
    for (const way of ['key-other-letters', 'secret-other-letters', 'key-quoted', 'secret-quoted'] as const)
      expectRefused(lab, await listAt(lab, INVOICES, { as: waysToFail[way](lab) }), [401, 400]);
  }),

  refusedWays('AUTH-02.altered', [
    'key-middle-changed',
    'key-prefixed',
    'key-without-prefix',
    'key-prefix-other-case',
    'key-wildcard',
    'key-inherited',
  ]),

  ofEachKey('AUTH-02.each-key', ['key-truncated', 'key-extended', 'key-other-case']),

  check('AUTH-03.wrong', ['seller'], async (lab) => {
    const as = waysToFail['secret-wrong'](lab);
    expectRefused(lab, await list(lab, {}, { as }), [401]);
    // Who names an environment is no better known for it.
    expectRefused(lab, await list(lab, {}, { as, headers: ownEnvironment }), [401]);
    expectUnauthorized(lab, await Promise.all(wrongSecretOfEach(lab).map((other) => list(lab, {}, { as: other }))));
  }),

  refusedWay('AUTH-03.letter-case', 'secret-other-case'),

  refusedWay('AUTH-03.truncated', 'secret-truncated'),

  refusedWay('AUTH-03.extended', 'secret-extended'),

  refusedWay('AUTH-03.first-half', 'secret-first-half'),

  refusedWay('AUTH-03.last-changed', 'secret-last-changed'),

  refusedWay('AUTH-03.first-missing', 'secret-first-cut'),

  refusedWay('AUTH-03.reordered', 'secret-reordered'),

  refusedWay('AUTH-03.key-as-secret', 'secret-is-key'),

  refusedWay('AUTH-03.long', 'secret-long'),

  refusedWays('AUTH-03.altered', ['secret-first-changed', 'secret-middle-changed', 'secret-prefixed']),

  ofEachKey('AUTH-03.each-key', ['secret-truncated', 'secret-extended', 'secret-other-case']),

  check('AUTH-03.another-key', ['seller'], async (lab) => {
    for (const as of secretsOfOthers(lab)) expectRefused(lab, await list(lab, {}, { as }), [401]);
    // One may be looked up among those of the organization, or of all environments.
    expectUnauthorized(lab, await Promise.all(secretOfSeller(lab).map((as) => list(lab, {}, { as }))));
  }),

  check('AUTH-03.forwarded', ['seller'], async (lab) => {
    for (const headers of FROM_WITHIN) {
      if (!isSuccess(await list(lab, {}, { headers }))) continue;
      for (const way of ['secret-wrong', 'both-missing', 'secret-empty'] as const)
        expectRefused(lab, await list(lab, {}, { as: waysToFail[way](lab), headers }), [401]);
    }
  }),
];

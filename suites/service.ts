import { byGateway } from '../helpers/api/error-codes.ts';
import { waysToFail } from '../helpers/api/invalid-credentials.ts';
import { list, readInvoice } from '../helpers/api/operations.ts';
import { type Answer, recordsIn } from '../helpers/api/responses.ts';
import { expectAccepted, expectThat } from '../helpers/assert/expect.ts';
import { expectPermitted, notApplicable } from '../helpers/assert/not-judged.ts';
import { pollUntil } from '../helpers/assert/poll.ts';
import { check } from '../helpers/check.ts';
import { isUndeployed, listProduction, productionInvoices } from '../helpers/environments/production.ts';

export const service = [
  check('ORG-02.production-served', ['production', 'boundOperations'], async (lab) => {
    const answer = await listProduction(lab);
    // A key that may not list is one thing, and an environment that is not served here another.
    if (!byGateway(answer)) expectPermitted(answer);
    expectAccepted(lab, answer, 'the production key served at the base URL that serves sandbox keys');
    lab.observe('operations-bound', Object.keys(lab.run.plan.target.operations).sort());
  }),

  check('ORG-02.production-read', ['production', 'read'], async (lab) => {
    const [one] = await productionInvoices(lab);
    if (!one) return notApplicable('production holds no invoice that could be read');
    const ask = () => readInvoice(lab, String(one.id), { as: lab.who('production') });
    // Its instances may come and go, as long as there are some.
    const answer = await pollUntil(lab, ask, (seen) => seen.status !== 404 && !isUndeployed(seen));
    // A draft may be deleted between the two requests.
    if (answer.status === 404 && !(await productionInvoices(lab)).some(({ id }) => id === one.id)) return;
    expectPermitted(answer);
    expectAccepted(lab, answer, `invoice ${String(one.id)} of the production list`);
  }),

  check('VER-01.prefix', [], async (lab) => {
    const answer = await list(lab, {}, { as: lab.who(lab.target.actors.seller ? 'seller' : 'buyer') });
    expectAccepted(lab, answer, 'the list under /api/v1');
  }),

  check('KEY-01.sandbox-prefix', [], async (lab) => {
    for (const name of ['seller', 'buyer', 'outsider', 'readOnly'] as const) {
      const key = lab.target.actors[name]?.key;
      if (key === undefined) continue;
      const answer = await list(lab, {}, { as: lab.who(name) });
      const honest = answer.status === 401 || key.startsWith('svc_sand_');
      expectThat(lab, honest, answer, 'accepted sandbox keys begin with svc_sand_', `the key of ${name} does not`);
    }
  }),

  check('KEY-01.production-prefix', ['production'], async (lab) => {
    const answer = await listProduction(lab);
    const honest = answer.status === 401 || (lab.target.actors.production?.key.startsWith('svc_prod_') ?? false);
    expectThat(lab, honest, answer, 'accepted production keys begin with svc_prod_', 'the production key does not');
  }),

  check('ERR-01.other-accept', ['seller'], async (lab) => {
    const plain = await list(lab, { page: 0, limit: 1 });
    for (const headers of OTHER_READERS) {
      const listed = await list(lab, { page: 0, limit: 1 }, { headers });
      const refused = await list(lab, { limit: 'many' }, { headers });
      const unknown = await list(lab, {}, { headers, as: waysToFail['both-missing']() });
      for (const answer of [listed, refused, unknown])
        expectThat(lab, isJson(answer), answer, 'a JSON body', 'it is none');
      const [one] = recordsIn(plain);
      const same = recordsIn(listed).find(({ id }) => id === one?.id);
      const kept = !same || same.amount === one?.amount;
      expectThat(lab, kept, listed, `amount ${String(one?.amount)}`, `it is ${String(same?.amount)}`);
    }
  }),
];

/** Who accepts anything, and who would rather read another language. */
const OTHER_READERS = [[['Accept', '*/*']], [['Accept-Language', 'de-DE']]] as const;

/** A body of JSON, or none at all. */
function isJson({ text, json }: Answer): boolean {
  return text === '' || json !== undefined;
}

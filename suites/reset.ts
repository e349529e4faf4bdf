import { listItems } from '../engine/invoice-record.ts';
import { describe } from '../engine/answer.ts';
import { NotApplicable } from '../engine/outcome.ts';
import { type Check, checkIn } from '../helpers/check.ts';
import { expectAccepted, expectRefused, expectThat } from '../helpers/expect.ts';
import type { Lab } from '../helpers/lab.ts';
import { list, postReset } from '../helpers/operations.ts';
import { listProduction } from '../helpers/production.ts';

const OLDEST = { page: 0, limit: 100 };

/** The one reset of the run, between two looks at production. It ends the seller's sandbox keys. */
async function resetOnce(lab: Lab) {
  // Its order among the checks of this phase is not fixed: bad credentials must have been tried on keys that live.
  await lab.run.once('bad reset', async () => {});
  return await lab.run.once('reset', async () => {
    const production = lab.target.actors.production ? await listProduction(lab, OLDEST).catch(notDeployed) : null;
    const answer = await postReset(lab);
    lab.observe('reset-answer', `${answer.status}${answer.text === '' ? ' without body' : ''}`);
    for (const [id] of answer.status < 300 ? lab.run.leftovers() : []) lab.run.removed(id);
    return { production, answer };
  });
}

function notDeployed(error: unknown): null {
  if (error instanceof NotApplicable) return null;
  throw error;
}

export const reset: readonly Check[] = [
  checkIn('reset', 'RESET-01.accepted', ['reset', 'seller'], async (lab) => {
    const { answer } = await resetOnce(lab);
    expectAccepted(lab, answer, 'a reset by a sandbox key');
  }),

  checkIn('reset', 'RESET-01.keys-ended', ['reset', 'seller'], async (lab) => {
    const { answer } = await resetOnce(lab);
    if (answer.status > 299) throw new NotApplicable('the reset was not accepted; RESET-01.accepted judges that');
    for (const name of ['seller', 'readOnly'] as const) {
      if (!lab.target.actors[name]) continue;
      expectRefused(lab, await list(lab, {}, { as: lab.who(name) }), [401]);
    }
    if (lab.target.actors.buyer) {
      const seen = await list(lab, OLDEST, { as: lab.who('buyer') });
      lab.observe('reset-counterparty', seen.status === 200 ? `lists ${listItems(seen).length} invoices` : seen.status);
    }
  }),

  checkIn('reset', 'RESET-02.production-untouched', ['reset', 'seller', 'production'], async (lab) => {
    const { answer, production } = await resetOnce(lab);
    if (answer.status > 299) throw new NotApplicable('the reset was not accepted; RESET-01.accepted judges that');
    if (!production) throw new NotApplicable('production is not deployed at this target');
    const after = await listProduction(lab, OLDEST);
    const ids = (seen: typeof after) => listItems(seen).map(({ id, status }) => `${String(id)} ${String(status)}`).sort().join(', ');
    const because = `before the reset ${describe(production)}`;
    expectThat(lab, after.status === production.status && ids(after) === ids(production), after, 'the production invoices as before the reset', because);
  }),
];

import type { Answer } from '../engine/answer.ts';
import { Blocked, NotApplicable } from '../engine/outcome.ts';
import { lifecycle } from '../specs/lifecycle.ts';
import { accepted } from './accepted.ts';
import { refusedEverywhere } from './bad-credentials.ts';

import { reach, whereReachable } from './invoices.ts';
import type { Lab } from './lab.ts';
import { list, postReset, readInvoice } from './operations.ts';
import { listProduction } from './production.ts';

const PRODUCTION_PAGE = { page: 0, limit: 100 };

export interface BadResets {
  /** With bad credentials. */
  answers: Answer[];
  /** With the read-only key; null where the target file has none. */
  byReader: Answer | null;
  /** What the seller's key gets afterwards. */
  after: Answer;
}

/** Resets that are to be refused, tried while the sandbox keys still live: before the one reset of the run. */
export async function badResets(lab: Lab): Promise<BadResets> {
  return await lab.run.once('bad resets', async () => {
    const refused = await refusedEverywhere(lab);
    const answers = await Promise.all(refused.map((as) => postReset(lab, { as })));
    const byReader = lab.target.actors.readOnly ? await postReset(lab, { as: lab.who('readOnly') }) : null;
    return { answers, byReader, after: await list(lab, { page: 0, limit: 1 }) };
  });
}

export interface Reset {
  answer: Answer;
  /** The production list before it; null where production is not deployed or has no key in the target file. */
  production: Answer | null;
  /** Ids of invoices, one of each state where possible, that the buyer could read before it. */
  shared: string[];
}

/** The one reset of the run. It ends the seller's sandbox keys. Throws Blocked when bad credentials have ended them before. */
export async function resetOnce(lab: Lab): Promise<Reset> {
  const reset = await lab.run.once('reset', async () => {
    const [{ after }, production, shared] = await Promise.all([
      badResets(lab),
      productionPage(lab),
      sharedInvoices(lab),
    ]);
    if (after.status === 401)
      throw new Blocked('AUTH-07.reset', 'a reset with bad credentials has ended the keys already');
    const bare = await postReset(lab);
    // No payload is shown; a server may insist on an empty one.
    const answer = [400, 415].includes(bare.status) ? await postReset(lab, {}, {}) : bare;
    lab.observe('reset-answer', `${answer.status}${answer.text === '' ? ' without body' : ''}`);
    const invoices = accepted(answer) ? lab.run.leftovers().filter(([, { what }]) => what.startsWith('invoice')) : [];
    for (const [id] of invoices) lab.run.removed(id);
    return { production, answer, shared };
  });
  // Whether it was asked for twice concerns all who judge what came of it.
  lab.shares([reset.answer]);
  return reset;
}

async function sharedInvoices(lab: Lab): Promise<string[]> {
  const { actors, operations } = lab.target;
  if (!actors.buyer || !operations.read || !operations.submit || !lab.run.plan.organizations.buyer) return [];
  const made = await Promise.all(lifecycle.states.map((state) => whereReachable(() => reach(lab, state))));
  const seen = await Promise.all(
    made.flat().map(async ({ id }) => {
      const { status } = await readInvoice(lab, id, { as: lab.who('buyer') });
      return status === 200 ? [id] : [];
    }),
  );
  return seen.flat();
}

/** The production list, or null where there is none to compare. */
export async function productionPage(lab: Lab): Promise<Answer | null> {
  if (!lab.target.actors.production) return null;
  try {
    return await listProduction(lab, PRODUCTION_PAGE);
  } catch (error) {
    if (error instanceof NotApplicable) return null;
    throw error;
  }
}

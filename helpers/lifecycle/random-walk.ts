import { type InvoiceAction, type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import { alone } from '../adaptation/isolated-action.ts';
import { isOwnRule } from '../api/error-codes.ts';
import { act } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isSuccess } from '../api/responses.ts';
import type { Lab } from '../context/check-context.ts';
import { alike } from '../fixtures/identical-invoices.ts';
import { keepNoSpares, leaveOver } from '../fixtures/spare-invoices.ts';
import { otherParty, partyFor, perform } from '../invoices/acting-party.ts';
import { hasLeft, lookUntil } from '../invoices/find-invoice.ts';
import { type Invoice, isState, keepTrack } from '../invoices/invoices.ts';
import { expectNotLate } from '../invoices/late-effect.ts';

/** One step of a walk. What is called becomes clear when the state of its invoice is known. */
export interface Step {
  /** Which of the walk's invoices. */
  invoice: number;
  /** Onwards, by an action that the state offers; otherwise every action is tried that it does not offer. */
  onwards: boolean;
  /** Which of the offered actions, or who tries the others. */
  pick: number;
}

export const INVOICES_OF_A_WALK = 3;

/** The actions that each state offers, those more often that lead far. */
const LIKELY: Record<InvoiceState, readonly InvoiceAction[]> = {
  DRAFT: ['submit', 'submit', 'submit', 'submit', 'delete'],
  SUBMITTED: ['dispute', 'approve', 'dispute', 'approve', 'dispute', 'cancel'],
  APPROVED: ['settle'],
  DISPUTED: ['resolve'],
  SETTLED: [],
  CANCELLED: [],
};

/** What a walk found: an action accepted or refused against the table, a trace of a refusal, or an invoice that was not named. */
export type FindingKind = 'accepted' | 'refused' | 'trace' | 'other invoice';

/** The first thing in a walk that the table does not allow. */
export interface Finding {
  kind: FindingKind;
  answer: ApiResponse;
  expected: string;
  because: string;
  /** The state that an invoice was taken to stay in, for how long, in milliseconds, and whether a dispute had led there; null where that does not matter. */
  stayed: { state: InvoiceState; ms: number; resolved: boolean } | null;
}

/** The state that an invoice of the walk is in, as far as the walk knows; null when it is gone. */
interface Walker {
  id: string;
  name: string;
  state: InvoiceState | null;
  /** When it was seen in it, as `performance.now()` tells it. */
  since: number;
  resolved: boolean;
}

/** Walks new invoices through the lifecycle, and stops at the first thing that the table does not allow. */
export async function walk(lab: Lab, steps: readonly Step[]): Promise<Finding | null> {
  const made = await alike(lab, INVOICES_OF_A_WALK);
  const since = performance.now();
  const walkers = made.map(
    ({ id, state }, at): Walker => ({ id, state, since, name: `invoice ${'ABC'[at]}`, resolved: false }),
  );
  const calls: string[] = [];
  for (const step of steps) {
    const walker = walkers[step.invoice % walkers.length] as Walker;
    if (walker.state === null) continue;
    const ways = bound(lab, LIKELY[walker.state]);
    const finding =
      step.onwards && ways.length > 0
        ? await goOn(lab, walker, ways[step.pick % ways.length] as InvoiceAction, calls)
        : await tryInVain(lab, walker, step.pick, calls);
    if (finding) return told(lab, finding, calls);
  }
  const finding = await strayed(lab, walkers);
  if (finding) return told(lab, finding, calls);
  for (const [at, { state, resolved }] of walkers.entries()) {
    // A resolution may have moved the amount.
    if (state === 'APPROVED' && !resolved) leaveOver(lab, { ...(made[at] as Invoice), state });
  }
  return null;
}

function told(lab: Lab, finding: Finding, calls: readonly string[]): Finding {
  keepNoSpares(lab);
  return { ...finding, because: `${finding.because}; the calls were: ${calls.join(', ')}` };
}

function bound(lab: Lab, actions: readonly InvoiceAction[]): InvoiceAction[] {
  return actions.filter((action) => lab.target.operations[action]);
}

async function goOn(lab: Lab, walker: Walker, action: InvoiceAction, calls: string[]): Promise<Finding | null> {
  const from = walker.state as InvoiceState;
  calls.push(`${action} ${walker.name} (${from})`);
  const { to } = await alone(lab, action);
  const answer = await perform(lab, action, walker.id);
  if (!isSuccess(answer)) {
    // How a sandbox treasury is filled is not shown, nor whether a dispute can be resolved, or raised, a second time.
    const excused = isOwnRule(answer) || (action === 'resolve' && walker.resolved);
    if (excused) return null;
    // Its first answer got lost: what it did may be why it is refused now.
    if (answer.repeated) return await lookedAt(lab, walker);
    const moved = await strayed(lab, [walker]);
    if (moved) return moved;
    const because = `${action} of ${walker.name} was refused in ${from}`;
    const expected = `${action} accepted in ${from}, which offers it`;
    return { kind: 'refused', answer, expected, because, stayed: null };
  }
  const { record, held } = await lookUntil(lab, walker.id, (found) => (found?.status ?? null) === to);
  if (!held && record?.status === from) await expectNotLate(lab, { id: walker.id, from, answer });
  walker.resolved ||= action === 'resolve';
  walker.state = isState(record?.status) ? record.status : null;
  walker.since = performance.now();
  if (walker.state === null) lab.run.removed(walker.id);
  else keepTrack(lab, { id: walker.id, state: walker.state });
  return null;
}

/** The state that an invoice is seen in is the one that it is in. */
async function lookedAt(lab: Lab, walker: Walker): Promise<null> {
  const { record } = await lookUntil(lab, walker.id, hasLeft(walker.state, true));
  walker.state = isState(record?.status) ? record.status : null;
  walker.since = performance.now();
  return null;
}

async function tryInVain(lab: Lab, walker: Walker, pick: number, calls: string[]): Promise<Finding | null> {
  const from = walker.state as InvoiceState;
  const actions = bound(lab, lifecycle.actions).filter((action) => !lifecycle.offered[from].includes(action));
  const moved = await strayed(lab, [walker]);
  if (moved) return moved;
  calls.push(`in vain ${actions.join(', ')} ${walker.name} (${from})`);
  const answers = await Promise.all(
    actions.map((action) => {
      const party = partyFor(lab, action);
      const as = (pick % 2 === 1 && otherParty(lab, party)) || lab.who(party);
      return act(lab, action, walker.id, { as });
    }),
  );
  const [last] = answers;
  if (!last) return null;
  const wrong = answers.find(isSuccess);
  const tried = wrong ? wrong.ask.operation : actions.join(', ');
  const expected = `${tried} refused in ${from}, which does not offer it, and no trace of it`;
  if (wrong) {
    const because = `${tried} of ${walker.name} was accepted in ${from}`;
    return { kind: 'accepted', answer: wrong, expected, because, stayed: stayed(walker) };
  }
  const { record } = await lookUntil(lab, walker.id, (found) => found?.status === from);
  if (record?.status === from) return null;
  const now = String(record?.status ?? 'gone');
  const because = `${tried} of ${walker.name} were refused in ${from}, and it is ${now} now`;
  return { kind: 'trace', answer: last, expected, because, stayed: stayed(walker) };
}

function stayed({ state, since, resolved }: Walker): Finding['stayed'] {
  return state && { state, ms: performance.now() - since, resolved };
}

/** An invoice that is not where the calls that named it have left it. */
async function strayed(lab: Lab, walkers: readonly Walker[]): Promise<Finding | null> {
  for (const walker of walkers) {
    const { id, name, state } = walker;
    const { record, answer } = await lookUntil(lab, id, (found) => (found?.status ?? null) === state);
    const now = record?.status ?? null;
    if (now === state) {
      walker.since = performance.now();
      continue;
    }
    const expected = `${name} ${state ?? 'gone'}, where the calls that name it have left it`;
    const because = `${name} is ${String(now ?? 'gone')}`;
    return { kind: 'other invoice', answer, expected, because, stayed: stayed(walker) };
  }
  return null;
}

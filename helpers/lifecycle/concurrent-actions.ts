import type { JsonObject } from '../../engine/records/find-invoice-record.ts';
import { type InvoiceAction, type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import { type Alone, alone, expectAlwaysAtOnce } from '../adaptation/isolated-action.ts';
import { act, actTogether } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { blockedBy, notApplicable } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { expectStaysByItself, longerThan } from '../controls/spontaneous-change.ts';
import { keepNoSpares, leaveOver, toBeSettled } from '../fixtures/spare-invoices.ts';
import { partyFor } from '../invoices/acting-party.ts';
import { hasLeft, lookUntil } from '../invoices/find-invoice.ts';
import { isState, keepTrack, reach, refusedCheck } from '../invoices/invoices.ts';

/** Requests of one volley; the target's limits may let fewer go at the same moment. */
const VOLLEY = 20;
const VOLLEYS = 2;
/** Requests for one and the same action. */
const VOLLEY_OF_ONE = 8;

/** Where an invoice is: in a state, or gone. */
type Place = InvoiceState | null;

/** Whether some order of the accepted actions leads from one place to the other, each offered where it was performed. */
export function explained(
  from: Place,
  actions: readonly InvoiceAction[],
  to: Place,
  leads: ReadonlyMap<InvoiceAction, Place>,
): boolean {
  if (actions.length === 0) return from === to;
  return actions.some((action, at) => {
    const offered = from !== null && lifecycle.offered[from].includes(action);
    return offered && explained(leads.get(action) ?? null, actions.toSpliced(at, 1), to, leads);
  });
}

/**
 * Rival actions on one invoice, sent at the same moment: what was accepted, and the state the invoice ends in, is what some
 * order of them explains. Throws NotApplicable where an accepted action shows only later: until then its rivals are offered.
 */
export async function expectOneOrder(lab: Lab, state: InvoiceState, rivals: readonly InvoiceAction[]): Promise<void> {
  const known = new Map<InvoiceAction, Alone>();
  for (const action of rivals) known.set(action, await alone(lab, action));
  const slow = rivals.find((action) => known.get(action)?.shows === 'later');
  if (slow) notApplicable(`an accepted ${slow} takes a while to take effect here`);
  // Whoever comes first opens no window for itself: each of the rivals is to follow another one.
  for (let volley = 0; volley < Math.max(VOLLEYS, rivals.length); volley += 1) {
    const from = volley % rivals.length;
    await fire(lab, state, [...rivals.slice(from), ...rivals.slice(0, from)], known);
  }
  // A rival that takes its time never wins against a quick one: each is to race against itself, too.
  if (rivals.length > 1) for (const rival of rivals) await fire(lab, state, [rival], known, VOLLEY_OF_ONE);
}

async function fire(
  lab: Lab,
  state: InvoiceState,
  rivals: readonly InvoiceAction[],
  known: ReadonlyMap<InvoiceAction, Alone>,
  volley = VOLLEY,
): Promise<void> {
  const invoice = await (state === 'APPROVED' ? toBeSettled(lab) : reach(lab, state));
  const actions = Array.from({ length: volley }, (_, index) => rivals[index % rivals.length] as InvoiceAction);
  const answers = await actTogether(
    lab,
    actions.map((action) => ({ action, id: invoice.id, as: lab.who(partyFor(lab, action)) })),
  );
  const won = answers.filter(isSuccess);
  if (answers.some(({ status }) => status === 202)) notApplicable('actions are only queued at first (202)');
  const names = won.map(({ ask }) => ask.operation as InvoiceAction);
  const leads = new Map([...known].map(([action, { to }]) => [action, to] as const));
  const placeOf = (found: JsonObject | null): Place => (isState(found?.status) ? found.status : null);
  const fits = (end: Place) => explained(state, names, end, leads) || wonAlone(names, end, rivals, leads);
  const left = hasLeft(state, names.includes('delete'));
  // A copy of the data that is behind shows a place on the way.
  const { record, answer: seen } = await lookUntil(lab, invoice.id, (found) => left(found) && fits(placeOf(found)));
  const tookMs = performance.now() - Math.min(...answers.map(({ sentAt }) => sentAt));
  const end = placeOf(record);
  if (end === null) lab.run.removed(invoice.id);
  else keepTrack(lab, { id: invoice.id, state: end });

  if (fits(end)) {
    // A resolution may have moved the amount.
    if (end !== null && !rivals.includes('resolve')) leaveOver(lab, { ...invoice, state: end });
    return;
  }
  keepNoSpares(lab);
  for (const action of new Set(names)) await expectAlwaysAtOnce(lab, action);
  const [first, second] = names;
  if (first && second) await expectRivalsApart(lab, first, second, leads);
  // A dispute that runs out, or an approval that is paid when due, moves on between the last answer and the look.
  const passed = [state, ...names.flatMap((name) => leads.get(name) ?? [])].filter((each) => each !== end);
  await expectStaysByItself(lab, [...new Set(passed)], longerThan(tookMs));
  const last = won.at(-1) ?? answers[0] ?? seen;
  const told = names.length === 0 ? 'none' : names.join(', ');
  const because = `of ${volley} actions at the same moment (${rivals.join(', ')}) accepted: ${told}; the invoice is ${end ?? 'gone'}`;
  throw breach(lab, last, `an outcome that some order of the accepted actions has, from ${state}`, because, [
    ...won.slice(0, -1),
    seen,
  ]);
}

/** One action alone may lead elsewhere than it did before, by the amount say; but not where only one that was refused leads. */
function wonAlone(
  names: readonly InvoiceAction[],
  end: Place,
  rivals: readonly InvoiceAction[],
  leads: ReadonlyMap<InvoiceAction, Place>,
): boolean {
  const [winner] = names;
  return names.length === 1 && rivals.every((rival) => rival === winner || leads.get(rival) !== end);
}

/** Throws Blocked when actions that win together are accepted one after the other, too: that is no matter of their moment. */
async function expectRivalsApart(
  lab: Lab,
  first: InvoiceAction,
  second: InvoiceAction,
  leads: ReadonlyMap<InvoiceAction, Place>,
): Promise<void> {
  const state = leads.get(first);
  if (!state || lifecycle.offered[state].includes(second)) return;
  const invoice = await reach(lab, state);
  const answer = await act(lab, second, invoice.id, { as: lab.who(partyFor(lab, second)) });
  if (isSuccess(answer)) blockedBy(refusedCheck(state, second), `${second} is accepted in ${state} at any time`);
}

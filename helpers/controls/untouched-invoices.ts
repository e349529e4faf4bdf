import type { Run } from '../../engine/run/run-context.ts';
import type { InvoiceState } from '../../specs/lifecycle.ts';
import { alone } from '../adaptation/isolated-action.ts';
import type { Lab } from '../context/check-context.ts';
import { look } from '../invoices/find-invoice.ts';
import { type Invoice, inEachState, whereReachable } from '../invoices/invoices.ts';

const madeFor = new WeakMap<Run, readonly Invoice[]>();

/** Makes sure, early in a run, that there is an invoice of each state which nobody ever touches. */
export async function callWitnesses(lab: Lab): Promise<void> {
  const { run } = lab;
  // Who holds others up does not wait for what they may have begun.
  if (madeFor.has(run) || run.isWithin(lab.asking.id)) return;
  // Not those that lists are looked at for: these will be far behind them.
  const [made] = await whereReachable(() => run.once('witnesses', () => inEachState(lab, settledAlone)));
  madeFor.set(run, made ?? []);
}

/** The invoice that `alone` settles stays behind in any case, and no check acts on it afterwards. */
async function settledAlone(lab: Lab, state: InvoiceState): Promise<Invoice | null> {
  if (state !== 'SETTLED') return null;
  const [settled] = await whereReachable(() => alone(lab, 'settle'));
  return settled?.to === state ? settled.invoice : null;
}

/** The untouched invoice in a state, where there is one by now. */
export function witnessOf({ run }: Lab, state: InvoiceState): Invoice | null {
  return madeFor.get(run)?.find((each) => each.state === state) ?? null;
}

/** What has become by itself of the untouched invoice in a state; null where it is still there, or there is none. */
export async function becameByItself(lab: Lab, state: InvoiceState): Promise<string | null> {
  const witness = witnessOf(lab, state);
  if (!witness) return null;
  const { record } = await look(lab, witness.id);
  return record?.status === state ? null : String(record?.status ?? 'gone');
}

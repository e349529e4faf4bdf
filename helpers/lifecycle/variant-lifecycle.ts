import { type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import { onceDisputed } from '../adaptation/invoice-variants.ts';
import { ownEnvironment } from '../api/environment-header.ts';
import type { ActExtra } from '../api/operations.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { seenTogether } from '../context/combined-experiment.ts';
import { IRREVOCABLE } from '../context/leftover-reason.ts';
import { LARGE_SUM, LEAST_SUM } from '../data/amounts.ts';
import { undressed } from '../data/invoice-body.ts';
import { freshInvoice, type Invoice, stateOffering } from '../invoices/invoices.ts';
import { thereBefore, watchedSettlements } from '../webhooks/watched-settlements.ts';
import { refusedAfterReading } from './action-after-read.ts';
import { expectAllTheWay, refusedTo } from './full-lifecycle.ts';

/** Invoices that are unlike most others in several ways at once. */
export type ManyKinds = 'least' | 'most' | 'large';

interface Way {
  what: string;
  make: (lab: Lab) => Promise<Invoice>;
  states: readonly InvoiceState[];
  /** What goes with each action. */
  extra: Omit<ActExtra, 'as'>;
  /** Whether both parties read it right before it is approved or settled. */
  readBefore: boolean;
}

export const UNPAID: readonly InvoiceState[] = ['SUBMITTED', 'APPROVED'];
export const ALL_THE_WAY: readonly InvoiceState[] = [...UNPAID, 'SETTLED'];

const ways: Record<ManyKinds, Way> = {
  least: {
    what: 'an invoice of a cent with the required fields alone that was disputed',
    make: (lab) => onceDisputed(lab, { ...undressed(lab), amount: LEAST_SUM }),
    states: ALL_THE_WAY,
    extra: {},
    readBefore: true,
  },
  most: {
    what: 'an invoice with all that may go with it',
    make: thereBefore,
    states: ALL_THE_WAY,
    extra: { headers: ownEnvironment },
    readBefore: false,
  },
  // Whether there are funds to pay it is another matter.
  large: {
    what: `an invoice of ${LARGE_SUM}`,
    make: (lab) => freshInvoice(lab, { amount: LARGE_SUM }),
    states: UNPAID,
    extra: {},
    readBefore: false,
  },
};

/**
 * An invoice of several kinds that went all the way: in each state what that does not offer was refused, and what it offers accepted
 * after that. Null where anything else was seen: whose fault it is, and of which kind, is for those to say who ask for one kind alone.
 */
export async function wentAllTheWay(lab: Lab, kinds: ManyKinds): Promise<Invoice | null> {
  return await gone(lab, kinds, 'all the way');
}

/** Whether one of them was approved and settled right after both parties had read it, and what it offered until then refused at once. */
export async function wentJustRead(lab: Lab): Promise<boolean> {
  return (await gone(lab, 'least', 'just read')) !== null;
}

type Question = 'all the way' | 'just read';

async function gone(lab: Lab, kinds: ManyKinds, question: Question): Promise<Invoice | null> {
  return await seenTogether<Question, Invoice>(lab, `kinds: ${kinds}`, question, async (inner, seen) => {
    const { what, make, states, extra, readBefore } = ways[kinds];
    let justRead = 0;
    const invoice = await make(inner);
    for (const state of states) {
      // Why there is no subscription is judged elsewhere.
      if (state === 'SETTLED') await watchedSettlements(inner).catch(() => null);
      if (readBefore && (await movedJustRead(inner, invoice, state))) justRead += 1;
      if (invoice.state !== state) await expectAllTheWay(inner, invoice, what, state, extra);
      if (!(await refusedTo(inner, state, invoice))) notApplicable(`nothing is refused of ${what} in ${state}`);
    }
    seen('all the way', invoice);
    if (justRead === IRREVOCABLE.length) seen('just read', invoice);
  });
}

/** False where it cannot be tried, or does not lead there. */
async function movedJustRead(lab: Lab, invoice: Invoice, to: InvoiceState): Promise<boolean> {
  const move = IRREVOCABLE.find((each) => lifecycle.leadsTo[each] === to);
  if (!move || !lab.target.operations.read || stateOffering(move) !== invoice.state) return false;
  invoice.isUnderWay = true;
  const moved = await refusedAfterReading(lab, move, invoice);
  if (!moved) return false;
  invoice.state = moved.state;
  invoice.isUnderWay = false;
  return true;
}

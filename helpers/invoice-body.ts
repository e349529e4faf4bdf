import { createHash } from 'node:crypto';
import type { Lab } from './lab.ts';

/** The body of an invoice creation, with the fields that the contract declares. */
export interface InvoiceBody {
  sellerId: string;
  buyerId: string;
  amount: string;
  dueDate: string;
  description: string;
  currency?: string;
  requestId?: string;
}

const DAY_MS = 86_400_000;
/** Small sums: a sandbox treasury may have to pay them, and a server may cap what one invoice is worth. */
const LEAST_CENTS = 1_00;
const CENTS_SPAN = 99_00;
/** Shares no factor with the span, so that amounts repeat as late as possible. */
const CENTS_STEP = 37;
const NEAREST_DUE_DAY = 20;
/** Wide, so that invoices made at the same time differ in it; within sixty days, the longest term that some agree on. */
const DUE_DAYS_SPAN = 39;

/**
 * A valid body with only what every server must accept. Amount and due date together are unique within the run: they, and
 * the run's mark in the description, tell afterwards which invoice came of it.
 */
export function validBody(lab: Lab): InvoiceBody {
  const serial = lab.run.serial();
  const start = lab.run.plan.seed % CENTS_SPAN;
  const cents = LEAST_CENTS + ((start + serial * CENTS_STEP) % CENTS_SPAN);
  const days = NEAREST_DUE_DAY + ((lab.run.plan.seed + firstDay(lab) + serial) % DUE_DAYS_SPAN);
  return {
    sellerId: lab.organization('seller'),
    buyerId: lab.organization('buyer'),
    amount: asAmount(cents),
    dueDate: dueIn(days),
    description: `${lab.faker.commerce.product()} [${mark(lab)} ${serial}]`,
  };
}

/** The cheapest and the dearest, due soonest and latest: what a server does by itself may depend on either. */
export function extremes(lab: Lab): Pick<InvoiceBody, 'amount' | 'dueDate'>[] {
  const aside = lab.run.serial() % 50;
  return [LEAST_CENTS + aside, LEAST_CENTS + CENTS_SPAN - aside].flatMap((cents) =>
    [NEAREST_DUE_DAY, NEAREST_DUE_DAY + DUE_DAYS_SPAN].map((days) => ({
      amount: asAmount(cents),
      dueDate: dueIn(days),
    })),
  );
}

const asAmount = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** A date so many days from now, or the Monday after it: what is due may have to be due on a working day. */
function dueIn(days: number): string {
  const day = new Date(Date.now() + days * DAY_MS);
  const until = { 0: 1, 6: 2 }[day.getUTCDay()] ?? 0;
  return new Date(day.getTime() + until * DAY_MS).toISOString().slice(0, 10);
}

/** Another run at the same time, of the same seed even, is to fall on other days. */
function firstDay(lab: Lab): number {
  return createHash('sha256').update(lab.run.plan.runId).digest().readUInt16BE();
}

/** Generated bodies bear the run's alone. */
const MARK = /\[conformance [0-9a-f]{8}( \d+)?\]/;

/** The mark in the description of a body, by which what came of it can be told from anything else. */
export function markOf({ description }: Pick<InvoiceBody, 'description'>): string {
  return MARK.exec(description)?.[0] ?? '';
}

/** Whether a description, where a server shows it, bears the mark of another body than this one. */
export function bearsOtherMark(description: unknown, body: Pick<InvoiceBody, 'description'>): boolean {
  const found = MARK.exec(typeof description === 'string' ? description : '')?.[0];
  return found !== undefined && !String(body.description).includes(found);
}

/** By which everything that the kit creates can be told from other people's. */
export function mark(lab: Lab): string {
  return `conformance ${lab.run.plan.runId.slice(0, 8)}`;
}

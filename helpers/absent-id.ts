import { randomInt, randomUUID } from 'node:crypto';
import { listItems } from '../engine/invoice-record.ts';
import { freshInvoice } from './invoices.ts';
import type { Lab } from './lab.ts';
import { list } from './operations.ts';

const SHORT_NUMBER = 8;

/** An invoice id of the form that this server gives out, which no invoice has. */
export async function absentId(lab: Lab): Promise<string> {
  return absentLike(await lab.run.once('id of the right form', () => someId(lab)));
}

async function someId(lab: Lab): Promise<string> {
  const [listed] = listItems(await list(lab, { page: 0, limit: 1 }));
  if (typeof listed?.id === 'string') return listed.id;
  return lab.run.plan.mutations && lab.run.plan.organizations.buyer ? (await freshInvoice(lab)).id : randomUUID();
}

/** Like an id, of the same kinds of characters, but of other ones at its end: a UUID keeps its version. */
export function absentLike(id: string): string {
  // A short number counts invoices: only one far ahead of the counter names none of them.
  if (/^\d+$/.test(id) && id.length <= SHORT_NUMBER) return `9${String(randomInt(10 ** 8)).padStart(8, '0')}`;
  const tail = Math.max(0, id.length - 12);
  return id.slice(0, tail) + id.slice(tail).replace(/[a-z0-9]/gi, otherOfItsKind);
}

function otherOfItsKind(character: string): string {
  if (/\d/.test(character)) return String(randomInt(10));
  const first = /[a-z]/.test(character) ? 'a' : 'A';
  // Up to f: an id in hexadecimal digits must stay one.
  return String.fromCharCode(first.charCodeAt(0) + randomInt(6));
}

import { describe, isShown } from '../engine/answer.ts';
import type { Client } from '../engine/client.ts';
import { credentialsOf } from '../engine/credentials.ts';
import { foundIn, listItems } from '../engine/invoice-record.ts';
import { fill } from '../helpers/template.ts';
import type { Target } from '../specs/target.ts';

const LIST = '/api/v1/invoices?page=0&limit=1';

/** Whether the bound reading shows an invoice that the list shows; null where there is nothing to read, or no GET to read it with. */
export async function readProof(target: Target, client: Client): Promise<string | null> {
  const template = target.operations.read;
  const name = template?.actor ?? 'seller';
  if (template?.method !== 'GET' || !target.actors[name]) return null;
  const { headers: credentials, as, actor } = credentialsOf(target, name);
  const who = { method: 'GET', as, actor, credentials };
  const [first] = listItems(await client.send({ operation: 'list', path: LIST, ...who }, null));
  if (first?.id === undefined) return null;
  const id = String(first.id);
  const { path } = fill(template, { id });
  const answer = await client.send({ operation: 'read', path, ...who }, null);
  const shown = isShown(answer) && String(foundIn(answer)?.record.id) === id;
  if (shown) return `shows invoice ${id}, as expected`;
  return `UNEXPECTED: ${describe(answer)} for invoice ${id}, which the ${name} lists; correct operations.read, or leave it out`;
}

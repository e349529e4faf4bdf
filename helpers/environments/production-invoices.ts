import { describeResponse } from '../../engine/model/messages.ts';
import { Blocked } from '../../engine/model/outcomes.ts';
import { invoiceIn, type JsonObject, listItems } from '../../engine/records/find-invoice-record.ts';
import type { InvoiceAction, InvoiceState } from '../../specs/lifecycle.ts';
import type { ActorName } from '../../specs/target.ts';
import { namesInSandboxOnly } from '../api/environment-header.ts';
import { binding, NEWEST_FIRST, postInvoice, readInvoice } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { expectPermitted } from '../assert/not-judged.ts';
import { pollUntil } from '../assert/poll.ts';
import type { Lab } from '../context/check-context.ts';
import { IN_PRODUCTION, remainsBecause } from '../context/leftover-reason.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { isOf, look, type Sight } from '../invoices/find-invoice.ts';
import { isState, whereReachable } from '../invoices/invoices.ts';
import { expectDeployed, listProduction } from './production.ts';

/** An invoice that the kit has created in production. Only a target file with `allow.productionWrites` lets it. */
export interface ProductionInvoice {
  id: string;
  body: InvoiceBody;
  state: InvoiceState;
  created: ApiResponse;
}

/** A valid creation with the production key that was accepted. Throws Blocked when the server does not accept it. */
export async function postInProduction(lab: Lab): Promise<Pick<ProductionInvoice, 'body' | 'created'>> {
  const body = validBody(lab);
  const created = await postInvoice(lab, body, { as: lab.who('production') });
  expectDeployed(created);
  if (isSuccess(created)) return { body, created };
  const remedy = 'in production, connect the buyer to the seller and let the key create invoices';
  throw new Blocked(
    'actors.production of the target file',
    `its key creates no invoice: ${describeResponse(created)}; ${remedy}`,
  );
}

/** Creates an invoice in production. Throws Blocked when the server does not accept it. */
export async function createInProduction(lab: Lab): Promise<ProductionInvoice> {
  const { body, created } = await postInProduction(lab);
  return await productionInvoiceOf(lab, body, created);
}

/** The control of what is refused to the production key: it may create invoices in this run. Throws Blocked when it may not. */
export async function productionCreationWorks(lab: Lab): Promise<void> {
  await lab.run.once('control: create in production', () => createInProduction(lab));
}

/** The invoice that an accepted creation with the production key has made. Throws Blocked when production does not show it. */
export async function productionInvoiceOf(
  lab: Lab,
  body: InvoiceBody,
  created: ApiResponse,
): Promise<ProductionInvoice> {
  const record = await seenInProduction(lab, body, created);
  if (!record || !isState(record.status)) {
    throw new Blocked('ENV-04.production-key-decides', 'production does not show the invoice that its key has created');
  }
  const invoice = { id: String(record.id), body, state: record.status, created };
  keepTrackInProduction(lab, invoice);
  return invoice;
}

/**
 * What production shows of an accepted creation, read by its id where that is bound, otherwise in the list; null where it shows
 * nothing in the time that it has. Throws Blocked where its key may neither read nor list.
 */
export async function seenInProduction(lab: Lab, body: InvoiceBody, created: ApiResponse): Promise<JsonObject | null> {
  const id = invoiceIn(created)?.id;
  if (typeof id === 'string' && lab.target.operations.read) {
    const [read] = await whereReachable(() =>
      pollUntil(
        lab,
        () => look(lab, id, 'production'),
        ({ record }) => record !== null,
      ),
    );
    if (read?.record) return read.record;
  }
  return await pollUntil(
    lab,
    async () => {
      const answer = await listProduction(lab, NEWEST_FIRST);
      expectPermitted(answer);
      return listItems(answer).find((each) => isOf(each, body)) ?? null;
    },
    (found) => found !== null,
  );
}

/** Notes in which state a production invoice of the kit's stays behind. */
export function keepTrackInProduction(lab: Lab, { id, state }: Pick<ProductionInvoice, 'id' | 'state'>): void {
  lab.run.leave(`${IN_PRODUCTION}${id}`, `${IN_PRODUCTION}invoice ${state}`, remainsBecause(state));
}

/** The production invoice that came of a body; null where the list does not show it, or is not shown to this key. */
export async function listedInProduction(lab: Lab, body: InvoiceBody): Promise<JsonObject | null> {
  return listItems(await listProduction(lab, NEWEST_FIRST)).find((each) => isOf(each, body)) ?? null;
}

/** One invoice as the production key sees it, once it is in this state or had its time to be. */
export async function lookInProduction(lab: Lab, id: string, state: InvoiceState): Promise<Sight> {
  return await pollUntil(
    lab,
    () => look(lab, id, 'production'),
    ({ record }) => record?.status === state,
  );
}

/** Throws a Breach where production holds an invoice that came of a refused creation; what it holds is noted as left behind. */
export async function expectNoneInProduction(lab: Lab, body: InvoiceBody, refusal: ApiResponse): Promise<void> {
  const found = await listedInProduction(lab, body);
  if (!found) return;
  if (isState(found.status)) keepTrackInProduction(lab, { id: String(found.id), state: found.status });
  const because = `answered with ${refusal.status}, and yet production holds invoice ${String(found.id)}`;
  throw breach(lab, refusal, 'no invoice in production after a refused creation', because);
}

/** Whether an action on this id, asked for as that actor, cannot concern another invoice of the actor's own environment. */
export async function isForeignId(lab: Lab, action: InvoiceAction, id: string, as: ActorName): Promise<boolean> {
  if (namesInSandboxOnly(binding(lab, action).path, id)) return true;
  if (!lab.target.operations.read) return false;
  return (await readInvoice(lab, id, { as: lab.who(as) })).status === 404;
}

import { randomUUID } from 'node:crypto';
import type { InvoiceAction } from '../../specs/contract/lifecycle.ts';
import type { ActorName, OperationTemplate, Target } from '../../specs/target-file/target.ts';
import { responseOrNull } from '../diagnosis/optional-response.ts';
import type { Client } from '../http/client.ts';
import { credentialsOf } from '../model/credentials.ts';
import { type ApiRequest, type ApiResponse, isSuccess } from '../model/messages.ts';

/** An invoice that a trial has created and can remove. */
export interface RemovableInvoice {
  id: string;
  state: string;
  /** The actor that created the invoice, and so may remove it. */
  creator: ActorName;
}

/**
 * Deletes or cancels the invoices of a preflight that ends the run. Failures are ignored, because the problems of the
 * target file are reported instead.
 */
export async function removeTrialInvoices(
  target: Target,
  client: Client,
  made: readonly RemovableInvoice[],
): Promise<void> {
  for (const { id, state, creator } of made) {
    for (const action of removalActions(target, state)) {
      const response = await performAction(target, client, action, { id, creator });
      if (response === null || !isSuccess(response)) break;
    }
  }
}

function removalActions({ operations }: Target, state: string): readonly InvoiceAction[] {
  if (state !== 'SUBMITTED' && operations.delete) return ['delete'];
  if (!operations.cancel) return [];
  return state === 'SUBMITTED' || !operations.submit ? ['cancel'] : ['submit', 'cancel'];
}

async function performAction(
  target: Target,
  client: Client,
  action: InvoiceAction,
  { id, creator }: Pick<RemovableInvoice, 'id' | 'creator'>,
): Promise<ApiResponse | null> {
  const template = target.operations[action];
  if (!template) return null;
  const { headers: credentials, actor } = credentialsOf(target, creator);
  const ask: ApiRequest = {
    operation: action,
    method: template.method,
    ...fillTemplate(template, id),
    actorLabel: creator,
    actor,
    credentials,
  };
  return await responseOrNull(client, ask);
}

/** Path and body for one invoice, with values for all placeholders of the template. */
function fillTemplate({ path, body }: OperationTemplate, id: string): Pick<ApiRequest, 'path' | 'body'> {
  const values = { id, text: 'Preflight of the conformance kit', amount: '1.00', requestId: randomUUID() };
  const fill = (text: string, written: (value: string) => string) =>
    text.replaceAll(/\{(id|text|amount|requestId)\}/g, (_, name: keyof typeof values) => written(values[name]));
  const inJson = (value: string) => JSON.stringify(value).slice(1, -1);
  return {
    path: fill(path, encodeURIComponent),
    ...(body && { body: JSON.parse(fill(JSON.stringify(body), inJson)) }),
  };
}

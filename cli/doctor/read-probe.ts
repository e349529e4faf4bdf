import { describeBinding, missingOperationReason } from '../../engine/diagnosis/operation-binding.ts';
import type { Client } from '../../engine/http/client.ts';
import { credentialsOf } from '../../engine/model/credentials.ts';
import { is2xx } from '../../engine/model/messages.ts';
import { foundRecordIn, listItems } from '../../engine/records/invoice-records.ts';
import { fillTemplate } from '../../helpers/api/requests.ts';
import type { Target } from '../../specs/target-file/target.ts';
import type { OperationDiagnosis } from './diagnosis.ts';

const LIST_PATH = '/api/v1/invoices?page=0&limit=1';

/** Whether operations.read shows an invoice of the list; null without an invoice, or if the binding is not a GET. */
export async function probeRead(
  target: Target,
  client: Client,
): Promise<Pick<OperationDiagnosis, 'as' | 'status' | 'problem'> | null> {
  const template = target.operations.read;
  const name = template?.actor ?? 'seller';
  if (template?.method !== 'GET' || !target.actors[name]) return null;
  const { headers: credentials, actorLabel, actor } = credentialsOf(target, name);
  const who = { method: 'GET', actorLabel, actor, credentials };
  const [first] = listItems(await client.send({ operation: 'list', path: LIST_PATH, ...who }, null));
  if (first?.id === undefined) return null;
  const id = String(first.id);
  const { path } = fillTemplate(template, { id });
  const response = await client.send({ operation: 'read', path, ...who }, null);
  const shown = is2xx(response) && (String(foundRecordIn(response)?.record.id) === id || response.text.includes(id));
  const why = shown
    ? null
    : (missingOperationReason('read', response) ??
      `does not show invoice ${id}, which the ${name} lists; correct its path`);
  const problem = why === null ? null : `operations.read: ${describeBinding(template)} ${why}`;
  return { as: actorLabel, status: response.status, problem };
}

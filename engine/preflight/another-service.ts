import type { ActorName, Target } from '../../specs/target.ts';
import { listAsk } from '../diagnosis/list-request.ts';
import { showsNothingOfInvoices } from '../diagnosis/list-response.ts';
import { answerOrNull } from '../diagnosis/response-or-null.ts';
import type { Client } from '../http/client.ts';
import { badCredentials } from '../model/credentials.ts';
import { type ApiResponse, describeResponse, isSuccess, shorten } from '../model/messages.ts';

/** Statuses of which the service may be the reason, whoever asks: keys, quotas and outages. */
const MAY_BE_ITS_OWN: ReadonlySet<number> = new Set([401, 429, 502, 503, 504]);
/** A list that crashes or is forbidden to everybody is the service's own; a whole address that answers so is not. */
const MAY_BE_ONE_OPERATION: ReadonlySet<number> = new Set([403, 500]);
const NOTHING_THERE = '/api/v1/no-operation-has-this-path';
const MAX_SHOWN = 120;

type Received = readonly (readonly [ActorName, ApiResponse])[];

/**
 * Whether another service answers at the base URL: nothing in its lists is an invoice, or it gives every key the same refusal, and
 * credentials make no difference to it. Null where it may be the service, which may be broken in one of these.
 */
export async function anotherService(target: Target, client: Client, received: Received): Promise<string | null> {
  const answers = received.filter(([name]) => name !== 'revoked').map(([, answer]) => answer);
  const [first] = answers;
  if (!first || !answers.every(isStrange) || answers.some(({ status }) => status !== first.status)) return null;
  const without = await listedByNobody(client);
  if (!without || !(without.status === first.status || (isSuccess(first) && isSuccess(without)))) return null;
  if (isSuccess(without) && !isStrange(without)) return null;
  if (MAY_BE_ONE_OPERATION.has(first.status) && !(await answersAlike(client, first.status))) return null;
  const said = shorten(describeResponse(first), MAX_SHOWN);
  return `baseUrl: ${target.baseUrl}/api/v1/invoices gives the same answer with and without credentials (${said}), and no invoices: another service answers there; correct baseUrl (host, port and path prefix)`;
}

function isStrange(answer: ApiResponse): boolean {
  if (isSuccess(answer)) return showsNothingOfInvoices(answer);
  return !MAY_BE_ITS_OWN.has(answer.status);
}

/** The list without any credentials; null where no answer can be had. */
export async function listedByNobody(client: Client): Promise<ApiResponse | null> {
  return await answerOrNull(client, listAsk(badCredentials('nobody', null, null)));
}

/** Whether a path that does not exist gets the same status. */
async function answersAlike(client: Client, status: number): Promise<boolean> {
  const ask = { ...listAsk(badCredentials('nobody', null, null)), path: NOTHING_THERE };
  return (await answerOrNull(client, ask))?.status === status;
}

import { isDeepStrictEqual } from 'node:util';
import type { ActorName, Target } from '../../specs/target-file/target.ts';
import { newestListRequest } from '../diagnosis/list-request.ts';
import { isCreationForbidden, isEndpointMissing, notListReason } from '../diagnosis/list-response.ts';
import { isRedirect, isWebPage } from '../diagnosis/operation-binding.ts';
import { responseOrNull } from '../diagnosis/optional-response.ts';
import type { Client } from '../http/client.ts';
import { NONEXISTENT_ORGANIZATION_ID } from '../http/production-guard.ts';
import { credentialsOf } from '../model/credentials.ts';
import { type ApiResponse, bodyMember, describeResponse, isSuccess, shorten } from '../model/messages.ts';
import { foundRecordIn, listItems } from '../records/invoice-records.ts';
import type { OrganizationIds } from '../target/capabilities.ts';
import { listWithoutCredentials } from './other-service.ts';
import { sharedKeyProblems } from './shared-keys.ts';
import { type RemovableInvoice, removeTrialInvoices } from './trial-removal.ts';

/** An invoice that a trial has created. */
export interface TrialInvoice {
  id: string;
  state: string;
}

export interface CreationTrialResult {
  /** One line for each field of the target file that is wrong. */
  problems: string[];
  /** Empty if there are problems: then no run follows, and the trial removes its invoices. */
  trialInvoices: TrialInvoice[];
}

export const SWAPPED_IDS =
  'actors.seller.organizationId and actors.buyer.organizationId: every invoice names them in opposite roles; swap the two ids';
const SWAPPED_KEYS =
  "actors.seller and actors.buyer: the seller's key may not create the seller's invoices, but the invoice is accepted with the roles swapped; swap the two keys, or swap actors.seller.organizationId and actors.buyer.organizationId";

export interface TrialOptions {
  target: Target;
  client: Client;
  organizations: OrganizationIds;
  /** The beginning of the run's id, which marks the invoice as the kit's. */
  runMark: string;
  /** Whether every invoice names the two organizations in opposite roles. */
  isSwapped: boolean;
  /** Whether checks of the run use the counterparties of the target file. */
  needsCounterparties: boolean;
}

const DAY_MS = 86_400_000;
const DUE_IN_DAYS = 28;
const MAX_SHOWN_CHARACTERS = 160;

/**
 * Creates one small invoice from seller to buyer, and diagnoses a rejection: swapped keys or organization ids, a key that
 * may not create, no active connection. Rejections that a target file cannot cause are judged by the checks.
 */
export async function tryCreation(options: TrialOptions): Promise<CreationTrialResult> {
  const { organizations, needsCounterparties } = options;
  const { seller, buyer } = organizations;
  const trial = new CreationTrial(options);
  if (!seller || !buyer) return { problems: [], trialInvoices: [] };
  const first = await trial.create('seller', seller, buyer);
  if (first === null) return await trial.finish([]);
  const inFront = trial.intermediaryProblem(first);
  if (inFront !== null) return await trial.finish([inFront]);
  const another =
    (await trial.missingEndpointProblem(first)) ??
    (await trial.mockProblem(first)) ??
    (await trial.gatewayProblem(first));
  if (another !== null) return await trial.finish([another]);
  if (!isSuccess(first)) return await trial.finish(await trial.rejectionProblems(first, seller, buyer));
  return await trial.finish([
    ...(needsCounterparties ? await trial.swappedCounterpartyProblems(seller) : []),
    ...(await trial.sharedKeyProblems(seller, buyer)),
  ]);
}

class CreationTrial {
  private readonly trialInvoices: RemovableInvoice[] = [];
  private readonly options: TrialOptions;

  constructor(options: TrialOptions) {
    this.options = options;
  }

  async finish(problems: string[]): Promise<CreationTrialResult> {
    if (problems.length === 0) return { problems, trialInvoices: this.trialInvoices };
    await removeTrialInvoices(this.options.target, this.options.client, this.trialInvoices);
    return { problems, trialInvoices: [] };
  }

  /** The response to a creation; null if there is none. */
  async create(as: ActorName, sellerId: string, buyerId: string): Promise<ApiResponse | null> {
    const { target, client, runMark } = this.options;
    const { headers: credentials, actor } = credentialsOf(target, as);
    const body = {
      sellerId,
      buyerId,
      amount: '12.00',
      dueDate: dueDate(),
      description: `Preflight (conformance ${runMark} 0)`,
    };
    const request = {
      operation: 'create',
      method: 'POST',
      path: '/api/v1/invoices',
      actorLabel: as,
      actor,
      credentials,
      body,
    } as const;
    const response = await responseOrNull(client, request);
    if (response && isSuccess(response)) this.recordCreated(response, as);
    return response;
  }

  private recordCreated(response: ApiResponse, as: ActorName): void {
    const record = foundRecordIn(response)?.record;
    const id = record?.id;
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const state = typeof record?.status === 'string' ? record.status : 'of the preflight';
    this.trialInvoices.push({ id: String(id), state, creator: as });
  }

  /** A login page or a redirect in place of a JSON response comes from a layer in front of the service, which accepts only lists. */
  intermediaryProblem(first: ApiResponse): string | null {
    const isPage = isWebPage(first) && first.status < 500 && first.status !== 429;
    if (!isPage && !isRedirect(first.status)) return null;
    const { baseUrl } = this.options.target;
    return `headers: POST ${baseUrl}/api/v1/invoices ${notListReason(first)}, although the list is returned; write the headers that a gateway in front requires, or correct baseUrl or proxy`;
  }

  /** A service without a creation endpoint that lists without credentials is not the service under test. */
  async missingEndpointProblem(rejection: ApiResponse): Promise<string | null> {
    if (!isEndpointMissing(rejection)) return null;
    const { target, client } = this.options;
    const without = await listWithoutCredentials(client);
    if (!without || !isSuccess(without)) return null;
    const said = shorten(describeResponse(rejection), MAX_SHOWN_CHARACTERS);
    return `baseUrl: POST ${target.baseUrl}/api/v1/invoices returns ${said}, and GET returns a list without credentials, so another service is running at this address; correct baseUrl (host, port and path prefix)`;
  }

  /** A mock returns one response to every request. */
  async mockProblem(first: ApiResponse): Promise<string | null> {
    if (!isSuccess(first) || foundRecordIn(first) !== null || listItems(first).length > 0) return null;
    const { target, client } = this.options;
    const listed = await responseOrNull(client, newestListRequest(credentialsOf(target, 'seller')));
    if (!listed || !isDeepStrictEqual(first.json, listed.json)) return null;
    return `baseUrl: POST ${target.baseUrl}/api/v1/invoices creates nothing and returns the same response as GET, so another service is running at this address; correct baseUrl (host, port and path prefix)`;
  }

  /** A gateway that rejects creations has another 401 than the service. */
  async gatewayProblem(first: ApiResponse): Promise<string | null> {
    if (first.status !== 401) return null;
    const { target, client } = this.options;
    const without = await listWithoutCredentials(client);
    if (without?.status !== 401 || isDeepStrictEqual(first.json, without.json)) return null;
    const said = shorten(describeResponse(first), MAX_SHOWN_CHARACTERS);
    return `headers: POST ${target.baseUrl}/api/v1/invoices is rejected with a 401 that is not the one of the service (${said}), although the same key lists; write the headers that a gateway in front requires, or correct baseUrl or proxy`;
  }

  async rejectionProblems(rejection: ApiResponse, seller: string, buyer: string): Promise<string[]> {
    const { target } = this.options;
    if (!mayConcernIdentity(rejection)) return [];
    if (await this.isAccepted('seller', buyer, seller)) return [this.options.isSwapped ? SWAPPED_IDS : SWAPPED_KEYS];
    if (target.actors.buyer && (await this.isAccepted('buyer', seller, buyer))) return [SWAPPED_KEYS];
    const said = shorten(describeResponse(rejection), MAX_SHOWN_CHARACTERS);
    if (isCreationForbidden(rejection)) {
      return [
        `actors.seller: this key may not create invoices (${said}); write a key that may create invoices, or run the profile read-only`,
      ];
    }
    if (isAboutConnection(rejection)) {
      return [
        `actors.buyer.organizationId: the server rejects an invoice from ${seller} to ${buyer} (${said}); write the id of a buyer that has an active connection with the seller, or correct actors.seller.organizationId`,
      ];
    }
    return [];
  }

  /** Detects swapped counterparties: the server reports the one as unknown and the other as in the wrong state. */
  async swappedCounterpartyProblems(seller: string): Promise<string[]> {
    const { unconnected, suspended } = this.options.target.counterparties;
    if (!unconnected || !suspended) return [];
    if (!hasCode(await this.create('seller', seller, unconnected), 412, 'CONN010')) return [];
    if (!hasCode(await this.create('seller', seller, suspended), 404, 'CONN003')) return [];
    if (!hasCode(await this.create('seller', seller, NONEXISTENT_ORGANIZATION_ID), 404, 'CONN003')) return [];
    return [
      'counterparties.unconnected and counterparties.suspended: the server rejects the first with 412 CONN010 and the second with 404 CONN003; swap the two ids',
    ];
  }

  /** Detects keys of the seller's or the buyer's organization under another actor. */
  async sharedKeyProblems(seller: string, buyer: string): Promise<string[]> {
    const [first] = this.trialInvoices;
    if (!first) return [];
    const { target, client } = this.options;
    const trials = {
      create: (as: ActorName, sellerId: string, buyerId: string) => this.create(as, sellerId, buyerId),
      list: (as: ActorName) => responseOrNull(client, newestListRequest(credentialsOf(target, as))),
    };
    return await sharedKeyProblems(target, trials, { id: first.id, seller, buyer });
  }

  private async isAccepted(as: ActorName, seller: string, buyer: string): Promise<boolean> {
    const response = await this.create(as, seller, buyer);
    return response !== null && isSuccess(response);
  }
}

/** Whether a rejection may concern keys and organizations rather than a business rule. */
function mayConcernIdentity(rejection: ApiResponse): boolean {
  return [400, 403, 404, 422].includes(rejection.status) || isAboutConnection(rejection);
}

/** An organization or connection that is not found, or a connection that is not active. */
function isAboutConnection(response: ApiResponse): boolean {
  const code = bodyMember(response, 'code');
  if (typeof code !== 'string') return false;
  return response.status === 404 || (response.status === 412 && code.startsWith('CONN'));
}

function hasCode(response: ApiResponse | null, status: number, code: string): boolean {
  return response !== null && response.status === status && bodyMember(response, 'code') === code;
}

/** A working day some weeks from now. */
function dueDate(): string {
  const day = new Date(Date.now() + DUE_IN_DAYS * DAY_MS);
  while (day.getUTCDay() % 6 === 0) day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}

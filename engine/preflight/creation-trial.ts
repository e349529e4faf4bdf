import type { ActorName, Target } from '../../specs/target.ts';
import { newestListRequest } from '../diagnosis/list-request.ts';
import { isCreationForbidden, isEndpointMissing } from '../diagnosis/list-response.ts';
import { responseOrNull } from '../diagnosis/response-or-null.ts';
import type { Client } from '../http/client.ts';
import { NONEXISTENT_ORGANIZATION_ID } from '../http/production-guard.ts';
import { credentialsOf } from '../model/credentials.ts';
import { type ApiResponse, bodyMember, describeResponse, isSuccess, shorten } from '../model/messages.ts';
import { foundRecordIn } from '../records/invoice-records.ts';
import type { OrganizationIds } from '../target/capabilities.ts';
import { listWithoutCredentials } from './other-service.ts';
import { sharedKeyProblems } from './shared-keys.ts';
import { type RemovableInvoice, removeTrialInvoices } from './trial-removal.ts';

/** An invoice that a trial has made. */
export interface TrialInvoice {
  id: string;
  state: string;
}

export interface CreationTrialResult {
  /** One line for each field of the target file that is wrong. */
  problems: string[];
  /** Without problems: with one, no run follows, and what was made is removed again. */
  trialInvoices: TrialInvoice[];
}

export const SWAPPED_IDS =
  'actors.seller.organizationId and actors.buyer.organizationId: every invoice names them the other way round; give each the id of the other';
const SWAPPED_KEYS =
  "actors.seller and actors.buyer: the seller's key may not create the seller's invoices, as the buyer's key may; give each the key of the other, or swap actors.seller.organizationId and actors.buyer.organizationId";

export interface TrialOptions {
  target: Target;
  client: Client;
  organizations: OrganizationIds;
  /** By which the invoice is told to be the kit's: the beginning of the run's id. */
  runMark: string;
  /** Whether every invoice names the two organizations the other way round. */
  isSwapped: boolean;
  /** Whether the run asks what the counterparties of the target file are refused with. */
  needsCounterparties: boolean;
}

const DAY_MS = 86_400_000;
const DUE_IN_DAYS = 28;
const MAX_SHOWN_CHARACTERS = 160;

/**
 * Creates one small invoice from seller to buyer, and finds out why where it is refused: keys or organization ids that are
 * swapped, a key that may not create, no active connection. What a target file cannot cause is left to the checks.
 */
export async function tryCreation(options: TrialOptions): Promise<CreationTrialResult> {
  const { organizations, needsCounterparties } = options;
  const { seller, buyer } = organizations;
  const trial = new CreationTrial(options);
  if (!seller || !buyer) return { problems: [], trialInvoices: [] };
  const first = await trial.create('seller', seller, buyer);
  if (first === null) return await trial.finish([]);
  const another = await trial.missingEndpointProblem(first);
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

  /** The answer to a creation; null where none can be had. */
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

  /** A service that has no creation, and lists without credentials, is another one. */
  async missingEndpointProblem(refusal: ApiResponse): Promise<string | null> {
    if (!isEndpointMissing(refusal)) return null;
    const { target, client } = this.options;
    const without = await listWithoutCredentials(client);
    if (!without || !isSuccess(without)) return null;
    const said = shorten(describeResponse(refusal), MAX_SHOWN_CHARACTERS);
    return `baseUrl: POST ${target.baseUrl}/api/v1/invoices answers ${said}, and GET lists without credentials: another service answers there; correct baseUrl (host, port and path prefix)`;
  }

  async rejectionProblems(refusal: ApiResponse, seller: string, buyer: string): Promise<string[]> {
    const { target } = this.options;
    if (!mayConcernIdentity(refusal)) return [];
    if (await this.isAccepted('seller', buyer, seller)) return [this.options.isSwapped ? SWAPPED_IDS : SWAPPED_KEYS];
    if (target.actors.buyer && (await this.isAccepted('buyer', seller, buyer))) return [SWAPPED_KEYS];
    const said = shorten(describeResponse(refusal), MAX_SHOWN_CHARACTERS);
    if (isCreationForbidden(refusal)) {
      return [
        `actors.seller: this key may not create invoices (${said}); name a key that may, or run the profile read-only`,
      ];
    }
    if (isAboutConnection(refusal)) {
      return [
        `actors.buyer.organizationId: an invoice from ${seller} to ${buyer} is refused (${said}); name a buyer that has an active connection with the seller, or correct actors.seller.organizationId`,
      ];
    }
    return [];
  }

  /** Which of two organizations is told to be unknown, and which to be in the wrong state. One that knows neither is judged. */
  async swappedCounterpartyProblems(seller: string): Promise<string[]> {
    const { unconnected, suspended } = this.options.target.counterparties;
    if (!unconnected || !suspended) return [];
    if (!hasCode(await this.create('seller', seller, unconnected), 412, 'CONN010')) return [];
    if (!hasCode(await this.create('seller', seller, suspended), 404, 'CONN003')) return [];
    if (!hasCode(await this.create('seller', seller, NONEXISTENT_ORGANIZATION_ID), 404, 'CONN003')) return [];
    return [
      'counterparties.unconnected and counterparties.suspended: the server answers the first with 412 CONN010 and the second with 404 CONN003; give each the id of the other',
    ];
  }

  /** Keys of the seller's or the buyer's organization where another one's are named. */
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

/** Whether a refusal may be about keys and organizations, and not about a rule of business that others of them would not meet. */
function mayConcernIdentity(refusal: ApiResponse): boolean {
  return [400, 403, 404, 422].includes(refusal.status) || isAboutConnection(refusal);
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

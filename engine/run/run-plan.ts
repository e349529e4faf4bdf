import type { Shard } from '../../specs/formats/journal.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { ActorName, Target } from '../../specs/target-file/target.ts';
import type { RequestLimit } from '../../specs/verdicts.ts';
import type { TrialInvoice } from '../preflight/creation-trial.ts';
import type { OrganizationIds } from '../target/capabilities.ts';

/** The input of a run. Plain data: it crosses from the command's thread to vitest's worker. */
export interface RunPlan {
  runId: string;
  target: Target;
  /** Path of evidence.jsonl, which already has its header. */
  journalPath: string;
  seed: number;
  strict: boolean;
  /** False in the profile `read-only`: then nothing but GET is sent. */
  mayMutate: boolean;
  selected: CheckId[];
  /** Checks that run without a recorded verdict if a selected exchange rule has no response to judge. */
  companions?: readonly CheckId[];
  /** Given in the target file or learned by the preflight. */
  organizations: OrganizationIds;
  /** Invoices that the preflight has created. */
  trialInvoices?: readonly TrialInvoice[];
  /** Actors whose key was rejected with 401 in the preflight, for all but `revoked` contrary to the target file. */
  rejectedActors?: readonly ActorName[];
  /** Actors whose key was accepted in the preflight. */
  acceptedActors?: readonly ActorName[];
  /** What the preflight got if the list was unavailable to every actor. The run then only records it. */
  unavailable?: { status: number; reason: string };
  /** The part of the checks that this run executes while other runs execute the others. */
  shard?: Shard;
  /** Sent with every request of a run that certifies. */
  userAgent?: string;
  /** The number of requests for which the checks were chosen; absent if they were not chosen by a budget. */
  budget?: number;
  /** What limits the requests; the target file by default. */
  requestLimit?: RequestLimit;
  /** Requests that the preflight has sent; they count towards the budget. */
  requestsSpent?: number;
  /** Milliseconds of the epoch at which the run stops sending requests; absent without a deadline. */
  deadlineAt?: number;
}

/** Name of the channel for the signal to stop a run. */
export function stopChannelName(runId: string): string {
  return `conformance-stop-${runId}`;
}

/** Name of the channel on which a run announces each exchange rule when it is first broken. */
export function breachChannelName(runId: string): string {
  return `conformance-breach-${runId}`;
}

/** An exchange rule that a response has broken. Its verdict follows at the end of the run. */
export interface RuleBreach {
  id: CheckId;
  reason: string;
}

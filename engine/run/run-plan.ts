import type { CheckId } from '../../specs/generated/ids.ts';
import type { ActorName, Target } from '../../specs/target.ts';
import type { TrialInvoice } from '../preflight/creation-trial.ts';
import type { OrganizationIds } from '../target/capabilities.ts';

/** Everything a run is started with. Plain data: it crosses from the command's thread to vitest's worker. */
export interface RunPlan {
  runId: string;
  target: Target;
  /** Path of evidence.jsonl, already begun with its header. */
  journalPath: string;
  seed: number;
  strict: boolean;
  /** False in the profile `read-only`: then nothing but GET is sent. */
  mayMutate: boolean;
  selected: CheckId[];
  /** Checks that run without a recorded verdict when a selected rule about every exchange has no answer to judge. */
  companions?: readonly CheckId[];
  /** Given in the target file or learned by the preflight. */
  organizations: OrganizationIds;
  /** Invoices that the preflight has made. */
  trialInvoices?: readonly TrialInvoice[];
  /** Actors whose key was refused with 401 in the preflight, against what the target file says of them. */
  rejectedActors?: readonly ActorName[];
  /** Actors whose key was accepted in the preflight. */
  acceptedActors?: readonly ActorName[];
  /** Requests that the preflight has sent; they count towards the budget. */
  requestsSpent?: number;
  /** Milliseconds of the epoch at which the run stops asking; absent without a deadline. */
  deadlineAt?: number;
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Null where no command started the run: then the environment names the target. */
    conformancePlan: RunPlan | null;
  }
}

/** Name of the channel on which a run is told to stop. */
export function stopChannelName(runId: string): string {
  return `conformance-stop-${runId}`;
}

declare module '@vitest/runner' {
  export interface TaskMeta {
    conformance?: import('../../specs/journal.ts').CheckRecord;
  }
}

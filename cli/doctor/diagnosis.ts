import type { ActorName, OperationName } from '../../specs/target.ts';

/** What the doctor finds out about a target file and its target. */
export interface Diagnosis {
  target: { name: string | null; baseUrl: string };
  tls: 'trusted' | 'loopback' | 'none';
  /** Milliseconds by which the server's clock is ahead; null where the server sends no Date. */
  clockSkewMs: number | null;
  /** Milliseconds that the server took for a list, in the median. */
  latencyMs: number;
  productionWrites: boolean;
  actors: ActorDiagnosis[];
  operations: OperationDiagnosis[];
  /** What is wrong with the target file: a run would end before it begins. */
  problems: readonly string[];
  /** What keeps checks of the profile from being put, and how many. */
  blocked: { field: string; checks: number; required: number; remedy: string }[];
  /** Checks that the target file does not allow, or that its service does not offer. */
  leftOut: { reason: string; checks: number }[];
  profile: string;
  /** Checks of the profile that can be put, of how many. */
  judged: { checks: number; of: number };
  costs: ProfileCostEstimate[];
  /** What the probe could not remove; null without a probe. */
  leftBehind: string[] | null;
  exitCode: 0 | 2 | 3;
}

export interface ActorDiagnosis {
  actor: ActorName;
  status: number | null;
  asExpected: boolean;
  organization: string | null;
  source: 'target file' | 'existing invoices' | null;
}

export interface OperationDiagnosis {
  operation: OperationName | 'create' | 'webhookCreate' | 'delivery';
  /** Method and path; null where nothing is bound. */
  request: string | null;
  declared: 'bound' | 'not-offered' | 'not bound' | 'in the contract';
  /** Who asked; null where it was not tried. */
  as: string | null;
  status: number | null;
  /** What to correct; null where nothing is known to be wrong. */
  problem: string | null;
}

/** What a run of a profile takes and leaves, as far as the reference service tells. */
export interface ProfileCostEstimate {
  profile: string;
  requests: number;
  seconds: number;
  leftBehind: { invoices: number; withdrawals: number; withdrawn: string; subscriptions: number };
}

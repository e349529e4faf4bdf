import type { ActorName, OperationName } from '../../specs/target-file/target.ts';
import type { ProfileCostEstimate } from '../run/cost-estimate.ts';

/** The result of `conformance doctor`. */
export interface Diagnosis {
  target: { name: string | null; baseUrl: string };
  tls: 'trusted' | 'loopback' | 'none';
  /** Milliseconds by which the server's clock is ahead; null if the server sends no Date. */
  clockSkewMs: number | null;
  /** Median duration of a list request, in milliseconds. */
  latencyMs: number;
  productionWrites: boolean;
  actors: ActorDiagnosis[];
  operations: OperationDiagnosis[];
  /** Errors of the target file that prevent a run. */
  problems: readonly string[];
  /** Entries of the target file that may be wrong and do not prevent a run. */
  notices: readonly string[];
  /** Entries of the target file that block checks of the profile. */
  blocked: { field: string; checks: number; required: number; remedy: string }[];
  /** Number of checks that the target file does not allow, or whose operation the server does not offer, by reason. */
  leftOut: { reason: string; checks: number }[];
  profile: string;
  /** Number of checks of the profile that can run, and of all its checks. */
  judged: { checks: number; of: number };
  costs: ProfileCostEstimate[];
  /** Leftovers of the probe; null without a probe. */
  leftovers: string[] | null;
  exitCode: 0 | 2 | 3;
}

export interface ActorDiagnosis {
  actor: ActorName;
  status: number | null;
  asExpected: boolean;
  organization: string | null;
  source: 'target file' | 'existing invoices' | 'its role in existing invoices' | null;
}

export interface OperationDiagnosis {
  operation: OperationName | 'create' | 'webhookCreate' | 'delivery';
  /** Method and path; null without a binding. */
  request: string | null;
  declared: 'bound' | 'not-offered' | 'not bound' | 'in the contract';
  /** The actor of the request; null if the operation was not called. */
  as: string | null;
  status: number | null;
  /** The problem and its correction; null without a known problem. */
  problem: string | null;
}

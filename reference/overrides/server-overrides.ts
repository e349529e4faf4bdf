import type { OpenPointId } from '../../specs/generated/ids.ts';
import type { BoundTargetInput } from '../../specs/target.ts';
import type { ReferenceOptions } from '../service/app.ts';

/** How a server differs from the reference: rules, routes and finished answers replaced, and what its target file says of it. */
export interface ServerOverrides extends Pick<ReferenceOptions, 'rules' | 'routes' | 'rewrite'> {
  /** Adapts the target file: what the contract leaves open is bound there. */
  target?: (target: BoundTargetInput) => BoundTargetInput;
}

/** A server that breaks no sentence of the contract, and must never be failed. */
export interface ConformingServer extends ServerOverrides {
  id: string;
  /** What the contract leaves open: an entry of specs/contract/open-points.yaml; null for the reference service as it ships. */
  openPoint: OpenPointId | null;
  /** What this server does about it, in a few words. */
  choice: string;
  /** A run against it takes several times as long as against the others: the proof begins with it. */
  isSlow?: true;
}

/** A conforming server that makes another choice. */
export interface Variation extends ConformingServer {
  openPoint: OpenPointId;
}

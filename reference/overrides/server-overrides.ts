import type { OpenPointId } from '../../specs/generated/ids.ts';
import type { BoundTargetInput } from '../../specs/target-file/target.ts';
import type { ReferenceOptions } from '../service/app.ts';

/**
 * How a server differs from the reference service: replaced rules, routes and responses, and changes to its target
 * file.
 */
export interface ServerOverrides extends Pick<ReferenceOptions, 'rules' | 'routes' | 'rewrite'> {
  /** Adapts the target file, which binds what the contract leaves open. */
  target?: (target: BoundTargetInput) => BoundTargetInput;
}

/** A conforming server, which must never fail. */
export interface ConformingServer extends ServerOverrides {
  id: string;
  /** An entry of specs/contract/open-points.yaml; null for the unchanged reference service. */
  openPoint: OpenPointId | null;
  /** The choice of this server, in a few words. */
  choice: string;
  /** A run against it takes several times as long as against other servers, so the proof begins with it. */
  isSlow?: true;
}

/** A conforming server that makes another choice. */
export interface Variation extends ConformingServer {
  openPoint: OpenPointId;
}

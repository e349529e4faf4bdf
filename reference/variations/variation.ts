import type { TargetInput } from '../../specs/target.ts';
import type { ReferenceOptions } from '../app.ts';

/** How a server differs from the reference: rules, routes and finished answers replaced, and what its target file says of it. */
export interface Deviation extends Pick<ReferenceOptions, 'rules' | 'routes' | 'rewrite'> {
  /** Adapts the target file: what the contract leaves open is bound there. */
  target?: (target: TargetInput) => TargetInput;
}

/** An honest way to differ: a server that breaks no sentence of the contract, and must never be failed. */
export interface Variation extends Deviation {
  id: string;
  /** What the contract leaves open, in one line. */
  openPoint: string;
}

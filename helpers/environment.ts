import * as engine from '../engine/guard.ts';

/** The header that names an environment. */
export const environment = (value: string): [string, string][] => [['X-Environment', value]];

/** The environment that the keys of a run are of, named: with it a request is what it is without. */
export const ownEnvironment = environment('SANDBOX');

/** Whether an id is one that production cannot have given to another record. */
export function isUniversal(id: string): boolean {
  return engine.isUniversal(id);
}

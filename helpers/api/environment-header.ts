import * as engine from '../../engine/http/production-guard.ts';

/** The header that names an environment. */
export const environment = (value: string): [string, string][] => [['X-Environment', value]];

/** The environment that the keys of a run are of, named: with it a request is what it is without. */
export const ownEnvironment = environment('SANDBOX');

/** An organization that there is nowhere, in no environment. */
export const NOBODY = engine.NOBODY;

/** Whether a path names the invoice by an id that production cannot have given to another record. */
export function namesInSandboxOnly(path: string, id: string): boolean {
  const [withoutQuery = ''] = path.split('?');
  return (
    engine.isUniversal(id) &&
    withoutQuery.includes('{id}') &&
    engine.isAboutOneRecord(withoutQuery.replaceAll('{id}', id))
  );
}

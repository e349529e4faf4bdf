import * as engine from '../../engine/http/production-guard.ts';
import type { OperationTemplate } from '../../specs/target-file/target.ts';

/** The header that names an environment. */
export const environmentHeader = (value: string): [string, string][] => [['X-Environment', value]];

/** Names the environment of the run's keys, so the request means the same with it as without it. */
export const sandboxHeader = environmentHeader('SANDBOX');

/** The id of an organization that exists in no environment. */
export const NONEXISTENT_ORGANIZATION_ID = engine.NONEXISTENT_ORGANIZATION_ID;

/** Whether a path names the invoice by an id that production cannot have given to another record. */
export function isSandboxOnlyPath(path: string, id: string): boolean {
  const [withoutQuery = ''] = path.split('?');
  return (
    engine.isUniqueId(id) && withoutQuery.includes('{id}') && engine.hasUniqueId(withoutQuery.replaceAll('{id}', id))
  );
}

/** As `isSandboxOnlyPath`, for a member of the body. The production guard permits such a request only with `allow.productionWrites`. */
export function isSandboxOnlyBody({ body }: Pick<OperationTemplate, 'body'>, id: string): boolean {
  return engine.isUniqueId(id) && JSON.stringify(body ?? null).includes(':"{id}"');
}

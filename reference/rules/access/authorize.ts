import type { Call } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';

/** "A key lacking permission for an endpoint yields 403." */
export function authorize({ key, route }: Call): void {
  if (!key.scopes.includes(route.scope)) throw rejections.lacksPermission();
  // "Whether a production key may call it is not shown": here it lacks the permission.
  if (route.name === 'reset' && key.environment !== 'SANDBOX') throw rejections.lacksPermission();
}

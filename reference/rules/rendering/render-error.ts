import type { RejectionError } from '../../service/rejection.ts';
import type { ServiceResponse } from '../../service/store.ts';

/** "Errors return JSON with `error` and `code`. For 400 a `message` field describes the validation failure." */
export function renderError({ status, code, message: error, detail, headers }: RejectionError): ServiceResponse {
  return { status, headers, body: { error, code, ...(status === 400 ? { message: detail ?? error } : {}) } };
}

import type { Refusal } from '../../service/refusal.ts';
import type { Answer } from '../../service/store.ts';

/** "Errors return JSON with `error` and `code`. For 400 a `message` field describes the validation failure." */
export function renderError({ status, code, message: error, detail, headers }: Refusal): Answer {
  return { status, headers, body: { error, code, ...(status === 400 ? { message: detail ?? error } : {}) } };
}

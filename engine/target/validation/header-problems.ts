import type { Target } from '../../../specs/target-file/target.ts';
import { type FieldProblem, literalProblems } from './field-problem.ts';

/** Headers that the contract, HTTP or the proxy defines. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-api-key',
  'x-api-secret',
  'x-environment',
]);

/** Headers that change the meaning of a request. */
const REQUEST_CHANGING_HEADERS: ReadonlySet<string> = new Set([
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
  'x-http-method',
  'x-http-method-override',
  'x-idempotency-key',
  'x-method-override',
]);

/** The problems of `headers`. `raw` is the content of the file before its references are filled in. */
export function headerProblems(target: Target, raw: unknown): FieldProblem[] {
  const { headers, actors } = target;
  const names = Object.keys(headers);
  const { production } = actors;
  return names.flatMap((name, at) => {
    const path = ['headers', name];
    const fault = (problem: string) => [{ path, text: `headers.${name}: ${problem}` }];
    const lower = name.toLowerCase();
    if (RESERVED_HEADERS.has(lower)) return fault('the kit sets this header itself; remove it');
    if (REQUEST_CHANGING_HEADERS.has(lower)) return fault('changes the meaning of every request; remove it');
    if (names.slice(0, at).some((other) => other.toLowerCase() === lower)) {
      return fault('appears twice (header names are case-insensitive); remove one of the two');
    }
    const value = headers[name] ?? '';
    if (production && [production.key, production.secret].some((secret) => value.includes(secret))) {
      return fault(
        'contains a credential of actors.production, but the kit also sends this header with requests that change data; remove it',
      );
    }
    return literalProblems(target, raw, path);
  });
}

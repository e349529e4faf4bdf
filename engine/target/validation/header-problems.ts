import type { Target } from '../../../specs/target.ts';
import { type FieldProblem, literalProblems } from './field-problem.ts';

/** Those that the contract, HTTP itself or the proxy give a meaning to. */
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

/** Headers that change what a request asks for. */
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

/** What is wrong with `headers`. `raw` is the content of the file before its references were filled in. */
export function headerProblems(target: Target, raw: unknown): FieldProblem[] {
  const { headers, actors } = target;
  const names = Object.keys(headers);
  const { production } = actors;
  return names.flatMap((name, at) => {
    const path = ['headers', name];
    const fault = (problem: string) => [{ path, text: `headers.${name}: ${problem}` }];
    const lower = name.toLowerCase();
    if (RESERVED_HEADERS.has(lower)) return fault('the kit sets this header itself; take it out');
    if (REQUEST_CHANGING_HEADERS.has(lower)) return fault('changes what every request asks for; take it out');
    if (names.slice(0, at).some((other) => other.toLowerCase() === lower)) {
      return fault('is named twice (header names ignore case); leave one');
    }
    const value = headers[name] ?? '';
    if (production && [production.key, production.secret].some((secret) => value.includes(secret))) {
      return fault('holds a credential of actors.production; the kit writes with this header, so take it out');
    }
    return literalProblems(target, raw, path);
  });
}

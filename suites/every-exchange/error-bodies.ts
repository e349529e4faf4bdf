import {
  type ApiResponse,
  bodyMember,
  describeResponse,
  headerValue,
  type Operation,
} from '../../helpers/rules/response-parts.ts';
import {
  anyResponse,
  type ExchangeRule,
  hasBody,
  hasCode,
  isBadRequest,
  isError,
  ruling,
  statelessRule,
} from '../../helpers/rules/rule-vocabulary.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

const contentTypeRule = statelessRule('ERR-01.content-type', hasBody, (response) => {
  const type = headerValue(response, 'content-type');
  return ruling(/^application\/json\s*(;|$)/i.test(type ?? ''), () => ({
    reason: `the body of the response to ${response.requestLine} has Content-Type: ${type ?? 'absent'}`,
    expected:
      'Content-Type: application/json on every body (Endpoints: bodies are JSON with Content-Type application/json)',
    actual: `${describeResponse(response)}; Content-Type: ${type ?? 'absent'}`,
    expectation: { body: '$text == "" or ($headers["content-type"] // "" | test("^application/json *(;|$)"; "i"))' },
  }));
});

const wellFormedJsonRule = statelessRule('ERR-01.parses', hasBody, (response) =>
  ruling(response.json !== undefined, () => ({
    reason: `the body of the response to ${response.requestLine} is not well-formed JSON${truncationText(response)}`,
    expected: 'a JSON body (Endpoints: request and response bodies are JSON)',
    actual: describeResponse(response),
    expectation: {
      body: '$text == "" or (($text | fromjson? | true) // false) and ($text | gsub("\\"([^\\"\\\\]|\\\\.)*\\""; "") | test("NaN|Infinity|[:,[] *([+.]|-?0[0-9])") | not)',
    },
  })),
);

/** A server that counts characters instead of bytes sends a Content-Length that ends the body too early. */
function truncationText(response: ApiResponse): string {
  const length = headerValue(response, 'content-length');
  const isCut = /^\s*[{[]/.test(response.text) && !/[}\]]\s*$/.test(response.text);
  if (length === undefined || !isCut || headerValue(response, 'content-encoding') !== undefined) return '';
  return `: it ends after the ${length} bytes of Content-Length, before the JSON does; Content-Length counts bytes, not characters`;
}

function requiredTextRule(
  id: CheckId,
  name: string,
  sentence: string,
  speaksOf: (status: number) => boolean,
): ExchangeRule {
  return statelessRule(id, isError, (response) => {
    if (!speaksOf(response.status)) return null;
    const value = bodyMember(response, name);
    return ruling(typeof value === 'string' && value !== '', () => ({
      reason: `the ${response.status} response to ${response.requestLine} has ${value === undefined ? `no ${name}` : `${name} ${JSON.stringify(value)}, not a non-empty string`}`,
      expected: `${name}, a non-empty string (${sentence})`,
      actual: describeResponse(response),
      expectation: { body: `(.${name}? | strings | length) // 0 | . > 0`, fields: [{ path: [name] }] },
    }));
  });
}

const errorTextRule = requiredTextRule(
  'ERR-02.error',
  'error',
  'Errors, Body: errors return JSON with error',
  (status) => status !== 401,
);
const codeTextRule = requiredTextRule(
  'ERR-03.code',
  'code',
  'Errors, Body: errors return JSON with code',
  (status) => status !== 401,
);
/** The contract does not specify the form of message. Some frameworks return a list of findings. */
const isInformative = (value: unknown): boolean =>
  typeof value === 'string'
    ? value !== ''
    : typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const MESSAGE_REFERENCE = 'Errors, Body: for 400 a message describes the validation failure';

const messageRule = statelessRule('ERR-04.message', isBadRequest, (response) => {
  const value = bodyMember(response, 'message');
  return ruling(isInformative(value), () => ({
    reason: `the 400 response to ${response.requestLine} has ${value === undefined ? 'no message' : `message ${JSON.stringify(value)}`}`,
    expected: `message: not empty (${MESSAGE_REFERENCE})`,
    actual: describeResponse(response),
    expectation: { body: '(.message? // "" | length) > 0', fields: [{ path: ['message'] }] },
  }));
});

const messageTextRule = statelessRule('ERR-09.text', isBadRequest, (response) => {
  const value = bodyMember(response, 'message');
  if (!isInformative(value)) return null;
  return ruling(typeof value === 'string', () => ({
    reason: `the 400 response to ${response.requestLine} has message ${JSON.stringify(value)}, not a string`,
    expected: `message: a string, like error and the message of a 401 (${MESSAGE_REFERENCE})`,
    actual: describeResponse(response),
    expectation: { body: '.message | type == "string"', fields: [{ path: ['message'] }] },
  }));
});

const internalErrorRule = statelessRule('ERR-05.no-internal-error', anyResponse, (response) =>
  ruling(response.status !== 500, () => ({
    reason: `the response to ${response.requestLine} by ${response.request.actorLabel} is an internal error`,
    expected: 'a response that the contract defines for such a request, not 500',
    actual: `${describeResponse(response)}; sent ${response.sentBody ?? 'no body'}`,
    expectation: { body: '$status != 500' },
  })),
);

const INTERNALS_PATTERNS = [
  /\n\s+at \S+.*[:(]\d+/,
  /Traceback \(most recent call last\)/,
  /\bat (java|org|com|sun)\.[\w.]+\([\w]+\.java:\d+\)/,
  /\bSQLSTATE\b/,
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\s.+\b(FROM|VALUES|SET|WHERE)\b/,
  /\/node_modules\//,
  /\bgoroutine \d+ \[/,
];

const exposedInternalsRule = statelessRule('ERR-07.no-internals', isError, (response) => {
  // Unescaped, so that a stack trace inside a JSON string shows its line breaks.
  const text = response.text.replaceAll('\\n', '\n');
  return ruling(!INTERNALS_PATTERNS.some((pattern) => pattern.test(text)), () => ({
    reason: `the ${response.status} response to ${response.requestLine} shows internals of the server`,
    expected: 'a human-readable error without stack trace or query',
    actual: describeResponse(response),
  }));
});

const STATUSES_BY_CODE: Record<string, { statuses: number[]; check: CheckId }> = {
  INV001: { statuses: [404], check: 'ERR-06.inv001' },
  INV002: { statuses: [400], check: 'ERR-06.inv002' },
  INV003: { statuses: [409], check: 'ERR-06.inv003' },
  // The conflict case of rule 1 has no code of its own, so a server may use INV004 there too.
  INV004: { statuses: [412, 409], check: 'ERR-06.inv004' },
  CONN003: { statuses: [404], check: 'ERR-06.conn003' },
  CONN010: { statuses: [412], check: 'ERR-06.conn010' },
  TREAS007: { statuses: [412], check: 'ERR-06.treas007' },
  GW_UNKNOWN_ENVIRONMENT: { statuses: [400], check: 'ERR-06.gw-unknown-environment' },
  GW_ENVIRONMENT_KEY_MISMATCH: { statuses: [403], check: 'ERR-06.gw-environment-key-mismatch' },
  GW_ENVIRONMENT_UNAVAILABLE: { statuses: [503], check: 'ERR-06.gw-environment-unavailable' },
};

const errorCodeRules = Object.entries(STATUSES_BY_CODE).map(([name, { statuses, check }]) =>
  statelessRule(
    check,
    hasCode,
    (response) => {
      // A record may have its own code, so a success counts only if it has an error text.
      const isSaid = response.status >= 400 || typeof bodyMember(response, 'error') === 'string';
      if (!isSaid || bodyMember(response, 'code') !== name) return null;
      return ruling(statuses.includes(response.status), () => ({
        reason: `the response to ${response.requestLine} has status ${response.status} and code ${name}`,
        expected: `status ${statuses.join(' or ')} with code ${name} (Errors, Module codes)`,
        actual: describeResponse(response),
        expectation: {
          body: `.code != "${name}" or ($status | IN(${statuses.join(', ')}))`,
          fields: [{ path: ['code'] }],
        },
      }));
    },
    'not-applicable',
  ),
);

/** Whether the request has X-Environment, with any value. */
const hasEnvironmentHeader = ({ request }: ApiResponse): boolean =>
  (request.headers ?? []).some(([name]) => name.toLowerCase() === 'x-environment');

const ENVIRONMENT_CODES: readonly unknown[] = ['GW_UNKNOWN_ENVIRONMENT', 'GW_ENVIRONMENT_KEY_MISMATCH'];

const environmentCodeRule = statelessRule(
  'ERR-10.environment-codes',
  hasCode,
  (response) => {
    const code = bodyMember(response, 'code');
    if (response.status < 400 || !ENVIRONMENT_CODES.includes(code)) return null;
    return ruling(hasEnvironmentHeader(response), () => ({
      reason: `the response to ${response.requestLine} by ${response.request.actorLabel}, a request without X-Environment, has code ${String(code)}`,
      expected: `${String(code)} only for a request with X-Environment (Authentication 4)`,
      actual: describeResponse(response),
      expectation: { body: `.code != "${String(code)}"`, fields: [{ path: ['code'] }] },
    }));
  },
  'not-applicable',
);

/** The operations that may assign an invoice number. */
const NUMBERING_OPERATIONS: readonly Operation[] = ['create', 'submit'];

const duplicateNumberRule = statelessRule(
  'ERR-10.inv003',
  isError,
  (response) => {
    if (response.status !== 409 || NUMBERING_OPERATIONS.includes(response.request.operation)) return null;
    return ruling(bodyMember(response, 'code') !== 'INV003', () => ({
      reason: `the 409 response to ${response.requestLine} has code INV003`,
      expected:
        'INV003 only for an invoice number that already exists (Errors, Module codes), another code for another conflict',
      actual: describeResponse(response),
      expectation: { body: '.code != "INV003"', fields: [{ path: ['code'] }] },
    }));
  },
  'not-applicable',
);

/** Exchange rules for errors and bodies in general. */
export const errorBodyRules: readonly ExchangeRule[] = [
  contentTypeRule,
  wellFormedJsonRule,
  errorTextRule,
  codeTextRule,
  messageRule,
  messageTextRule,
  internalErrorRule,
  exposedInternalsRule,
  ...errorCodeRules,
  environmentCodeRule,
  duplicateNumberRule,
];

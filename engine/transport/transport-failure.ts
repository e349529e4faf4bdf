import { ProxyError } from './proxy-failure.ts';
import { closedConnectionRemedy, tlsFailure } from './tls-failure.ts';

/** Why there is no response: a kind for code, a message and the advice for users. */
export interface WireFailure {
  kind: 'timeout' | 'refused' | 'dns' | 'tls' | 'closed' | 'protocol' | 'request' | 'proxy';
  message: string;
  /** Advice for the author of the target file. */
  remedy: string;
  /** The field of the target file to correct, if it is not baseUrl. */
  field?: string;
}

/** Whether the server may have carried out the request, although there is no response. */
export function mayHaveArrived({ kind }: WireFailure): boolean {
  return kind === 'timeout' || kind === 'closed' || kind === 'protocol';
}

/** Maximum size of the response headers, in bytes. */
export const MAX_HEADERS_BYTES = 256 * 1024;

const NO_CONNECTION_CODES = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);
const DNS_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']);

/** The context of a failed exchange. */
interface FailureContext {
  timedOut: boolean;
  timeoutMs: number;
  /** Under https. */
  isSecure: boolean;
  /** Whether the target file names a client certificate. */
  hasCertificate: boolean;
}

/** Converts an error of the network or of the HTTP library into a message for users. */
export function toWireFailure(
  error: unknown,
  { timedOut, timeoutMs, isSecure, hasCertificate }: FailureContext,
): WireFailure {
  const { name, code = '', message, data } = error as NodeJS.ErrnoException & { data?: unknown };
  if (timedOut) {
    const remedy = 'check whether the server hangs, or increase limits.requestTimeoutMs';
    return { kind: 'timeout', message: `no complete response within ${timeoutMs} ms`, remedy };
  }
  if (error instanceof ProxyError) return error.failure;
  if (NO_CONNECTION_CODES.has(code)) {
    return { kind: 'refused', message: `no connection (${code})`, remedy: UNREACHABLE_ADVICE };
  }
  if (DNS_CODES.has(code)) {
    const remedy = 'correct the host name in baseUrl';
    return { kind: 'dns', message: `the host name does not resolve (${code})`, remedy };
  }
  const trouble = tlsFailure(code, message, hasCertificate);
  if (trouble) return trouble;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    const longest = `${MAX_HEADERS_BYTES / 1024} KiB`;
    return {
      kind: 'protocol',
      message: `the response headers are longer than ${longest}`,
      remedy: NOT_HTTP_ADVICE,
    };
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    return { kind: 'request', message: `the request cannot be sent: ${message}`, remedy: 'correct baseUrl' };
  }
  if (typeof data === 'string' && isHttp2Frame(data)) {
    return {
      kind: 'protocol',
      message: 'the server accepts only HTTP/2, but the kit uses HTTP/1.1',
      remedy: HTTP_2_ONLY_ADVICE,
    };
  }
  if (!isSecure && typeof data === 'string' && isTlsAlert(data)) {
    return { kind: 'protocol', message: 'the server expects TLS', remedy: 'write https:// in baseUrl' };
  }
  // Data that is not HTTP at all causes an error without a code.
  if (name === 'HTTPParserError' || /^HPE_|UND_ERR_(RES|HEADERS)/.test(code)) {
    const detail = code === '' ? message : `${message}, ${code}`;
    return { kind: 'protocol', message: `the response is not valid HTTP (${detail})`, remedy: NOT_HTTP_ADVICE };
  }
  return {
    kind: 'closed',
    message: `the connection closed before the response was complete (${code || message})`,
    remedy: `correct baseUrl${isSecure ? '' : ' (https:// if the server expects TLS)'} or check the log of the server${isSecure ? `; ${closedConnectionRemedy(hasCertificate)}` : ''}`,
  };
}

const NOT_HTTP_ADVICE = 'correct the port in baseUrl, or check which service runs there';
const HTTP_2_ONLY_ADVICE =
  'enable HTTP/1.1 on the server or its gateway, or write the address of one that supports it in baseUrl';

/** Types of the frames with which a server that speaks HTTP/2 without TLS begins, or hangs up (RFC 9113, 6.5 and 6.8). */
const SETTINGS = 4;
const GOAWAY = 7;

function isHttp2Frame(bytes: string): boolean {
  const [long0, long1, , type, , ...rest] = Array.from(bytes.slice(0, 9), (byte) => byte.charCodeAt(0));
  return (
    long0 === 0 &&
    long1 === 0 &&
    (type === SETTINGS || type === GOAWAY) &&
    rest.length === 4 &&
    rest.every((byte) => byte === 0)
  );
}

/** Whether the bytes are a TLS alert, which a TLS server sends to a plain HTTP client (RFC 8446, 5.1). */
function isTlsAlert(bytes: string): boolean {
  return bytes.charCodeAt(0) === 0x15 && bytes.charCodeAt(1) === 3;
}

const UNREACHABLE_ADVICE = 'start the server (limits.startWithinMs gives it time to start) or correct baseUrl';

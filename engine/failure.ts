/** Why no answer came: a word to act on, a sentence to read, and what to do about it where that is plain. */
export interface WireFailure {
  kind: 'timeout' | 'refused' | 'dns' | 'tls' | 'closed' | 'protocol' | 'request';
  message: string;
  /** For whoever wrote the target file. */
  remedy: string;
}

/** Whether the server may have done what was asked, although no answer came. */
export function mayHaveArrived({ kind }: WireFailure): boolean {
  return kind === 'timeout' || kind === 'closed' || kind === 'protocol';
}

/** Longest head of an answer, in bytes. */
export const HEADERS_CAP_BYTES = 256 * 1024;

const REFUSED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);
const DNS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']);

interface TlsTrouble {
  codes: RegExp;
  message: string;
  remedy: string;
}

const TLS: readonly TlsTrouble[] = [
  {
    codes: /^(UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|CERT_UNTRUSTED|ERR_TLS_CERT_SIGNATURE\w*)$/,
    message: 'its certificate comes from an authority that this machine does not trust',
    remedy: 'name the authority with --ca FILE (or ca in the target file) if you trust it',
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    message: 'its certificate has expired',
    remedy: 'have the certificate renewed; the kit never goes on without a valid one',
  },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    message: 'its certificate is not valid yet',
    remedy: 'compare the clock of this machine with the certificate',
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    message: 'its certificate is for another host name',
    remedy: 'write the host name of the certificate in baseUrl, or have a certificate made for this one',
  },
  {
    codes: /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/,
    message: 'what listens there does not speak TLS',
    remedy: 'write http:// in baseUrl if it is meant to be without TLS, or correct the port',
  },
];

/** What an error of the network or of the HTTP library says, in words that need no knowledge of either. */
export function explain(error: unknown, timedOut: boolean, timeoutMs: number): WireFailure {
  const { name, code = '', message } = error as NodeJS.ErrnoException;
  if (timedOut) {
    const remedy = 'look whether the server hangs, or allow more with limits.requestTimeoutMs';
    return { kind: 'timeout', message: `no complete answer within ${timeoutMs} ms`, remedy };
  }
  if (REFUSED.has(code)) {
    return { kind: 'refused', message: `no connection (${code})`, remedy: 'start the server or correct baseUrl' };
  }
  if (DNS.has(code)) {
    const remedy = 'correct the host name in baseUrl';
    return { kind: 'dns', message: `the host name does not resolve (${code})`, remedy };
  }
  const trouble = TLS.find(({ codes }) => codes.test(code));
  if (trouble) return { kind: 'tls', message: `${trouble.message} (${code})`, remedy: trouble.remedy };
  if (/CERT|TLS|SSL/.test(code)) {
    return { kind: 'tls', message: `${message} (${code})`, remedy: 'correct baseUrl or the TLS set-up of the server' };
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    const longest = `${HEADERS_CAP_BYTES / 1024} KiB`;
    return { kind: 'protocol', message: `the headers of its answer are longer than ${longest}`, remedy: NO_HTTP };
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    return { kind: 'request', message: `the request cannot be sent: ${message}`, remedy: 'correct baseUrl' };
  }
  // What is no HTTP at all comes without a code.
  if (name === 'HTTPParserError' || /^HPE_|UND_ERR_(RES|HEADERS)/.test(code)) {
    const detail = code === '' ? message : `${message}, ${code}`;
    return { kind: 'protocol', message: `what came is not HTTP as it should be (${detail})`, remedy: NO_HTTP };
  }
  return {
    kind: 'closed',
    message: `the connection ended before the answer did (${code || message})`,
    remedy: 'correct baseUrl or look at what the server says',
  };
}

const NO_HTTP = 'correct the port in baseUrl, or look at what answers there';

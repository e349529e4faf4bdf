import type { WireFailure } from './transport-failure.ts';

interface TlsFailurePattern {
  codes: RegExp;
  message: string;
  remedy: string;
  /** The field of the target file to correct. */
  field?: string;
}

const NAME_CERTIFICATE_ADVICE = 'write the paths of its PEM files in tls.certificate and tls.key';
const OTHER_CERTIFICATE_ADVICE =
  'correct tls.certificate, or add the authority that issued it to the authorities that the server trusts';

const SERVER_FAILURES: readonly TlsFailurePattern[] = [
  {
    codes: /^(UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|CERT_UNTRUSTED|ERR_TLS_CERT_SIGNATURE\w*)$/,
    message: 'its certificate comes from an authority that this machine does not trust',
    remedy: 'give the authority with --ca FILE (or tls.ca in the target file) if you trust it',
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    message: 'its certificate has expired',
    remedy: 'renew the certificate; the kit requires a valid one',
  },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    message: 'its certificate is not valid yet',
    remedy: 'compare the clock of this machine with the certificate',
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    message: 'its certificate is for another host name',
    remedy: 'write the host name of the certificate in baseUrl, or issue a certificate for this one',
  },
  {
    codes: /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/,
    message: 'the server at this port does not use TLS',
    remedy: 'write http:// in baseUrl if it is meant to be without TLS, or correct the port',
  },
  {
    codes: /ALERT_NO_APPLICATION_PROTOCOL$/,
    message: 'the server accepts only HTTP/2, but the kit uses HTTP/1.1',
    remedy:
      'enable HTTP/1.1 on the server or its gateway (ALPN http/1.1), or write the address of one that supports it in baseUrl',
  },
  {
    codes: /ALERT_PROTOCOL_VERSION$|^ERR_SSL_UNSUPPORTED_PROTOCOL$/,
    message: 'the server shares no version of TLS with this machine',
    remedy: 'enable TLS 1.2 or 1.3 on the server',
  },
];

const MISSING_CERTIFICATE_FAILURES: readonly TlsFailurePattern[] = [
  {
    codes: /ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)$/,
    message: 'the server requires a client certificate',
    remedy: NAME_CERTIFICATE_ADVICE,
    field: 'tls.certificate',
  },
  {
    codes: /ALERT_HANDSHAKE_FAILURE$/,
    message: 'the server ends the TLS handshake, which often means that it requires a client certificate',
    remedy: `${NAME_CERTIFICATE_ADVICE}; or the server shares no cipher with this machine`,
    field: 'tls.certificate',
  },
];

const REJECTED_CERTIFICATE_FAILURES: readonly TlsFailurePattern[] = [
  {
    codes: /ALERT_(\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED|DECRYPT_ERROR|HANDSHAKE_FAILURE)$/,
    message: 'the server rejects the client certificate of the target file',
    remedy: OTHER_CERTIFICATE_ADVICE,
    field: 'tls.certificate',
  },
];

/** The TLS failure for the code of an error; null if the code has another cause. */
export function tlsFailure(code: string, message: string, hasCertificate: boolean): WireFailure | null {
  const known = [
    ...SERVER_FAILURES,
    ...(hasCertificate ? REJECTED_CERTIFICATE_FAILURES : MISSING_CERTIFICATE_FAILURES),
  ];
  const trouble = known.find(({ codes }) => codes.test(code));
  if (trouble) {
    const { remedy, field } = trouble;
    return { kind: 'tls', message: `${trouble.message} (${code})`, remedy, ...(field !== undefined && { field }) };
  }
  if (!/CERT|TLS|SSL/.test(code)) return null;
  const [firstLine = ''] = message.split('\n');
  return { kind: 'tls', message: `${firstLine} (${code})`, remedy: 'correct baseUrl or the TLS set-up of the server' };
}

/** The advice for a TLS connection that closed without an alert, as many servers do on a wrong certificate. */
export function closedConnectionRemedy(hasCertificate: boolean): string {
  return hasCertificate
    ? `if the server rejects the client certificate, ${OTHER_CERTIFICATE_ADVICE}`
    : `if the server requires a client certificate, ${NAME_CERTIFICATE_ADVICE}`;
}

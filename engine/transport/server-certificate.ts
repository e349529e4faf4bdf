import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { ClientCertificate } from './connection.ts';

interface CertificateRequest {
  readonly url: string;
  readonly ca: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  readonly timeoutMs: number;
}

/** The SHA-256 fingerprint of the certificate of a server, such as `AB:CD:…`; null without TLS or without a connection. */
export async function serverCertificate({
  url,
  ca,
  certificate,
  timeoutMs,
}: CertificateRequest): Promise<string | null> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:') return null;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return await new Promise((resolve) => {
    const socket = connect(
      {
        host,
        port: Number(port) || 443,
        ...(isIP(host) === 0 && { servername: host }),
        ...(ca !== undefined && { ca }),
        ...certificate,
      },
      () => end(socket.getPeerCertificate().fingerprint256 ?? null),
    );
    const end = (fingerprint: string | null) => {
      socket.destroy();
      resolve(fingerprint);
    };
    socket.setTimeout(timeoutMs, () => end(null));
    socket.on('error', () => end(null));
  });
}

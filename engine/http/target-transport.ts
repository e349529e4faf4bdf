import type { Target } from '../../specs/target-file/target.ts';
import { trustedAuthorities } from '../target/network/certificate-authorities.ts';
import { readClientCertificate } from '../target/network/client-certificate.ts';
import { targetProxy } from '../target/network/proxy-settings.ts';
import { Transport } from '../transport/transport.ts';

/** The network access to a target, with its certificates, its proxy and its timeout. `signal` aborts the exchanges in flight. */
export function targetTransport(target: Target, signal: AbortSignal): Transport {
  return new Transport({
    timeoutMs: target.limits.requestTimeoutMs,
    ca: trustedAuthorities(target),
    certificate: readClientCertificate(target),
    proxy: targetProxy(target),
    signal,
  });
}

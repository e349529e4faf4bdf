import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { kitIdentity } from '../../engine/runtime/kit-identity.ts';
import { trustedAuthorities } from '../../engine/target/network/certificate-authorities.ts';
import { readClientCertificate } from '../../engine/target/network/client-certificate.ts';
import { targetProxy } from '../../engine/target/network/proxy-settings.ts';
import { serverCertificate } from '../../engine/transport/server-certificate.ts';
import type { Certification } from '../../specs/certification/certification.ts';
import type { Target } from '../../specs/target-file/target.ts';
import { MIN_SECRET_LENGTH } from './secret-scan.ts';

/** What the operator says about a run that certifies. */
export interface CertificationWords {
  readonly operator: string;
  readonly ticket: string | null;
}

const IDENTITY_FIELDS = ['vendor', 'product', 'version'] as const;

/** Throws a ConfigurationError with a line for each field of the target file that a certification needs and does not find. */
export function assertCertifiable(target: Target): void {
  const missing = IDENTITY_FIELDS.filter((name) => !target.implementation?.[name]?.trim()).map(
    (name) => `implementation.${name}: missing; write the ${name} of the implementation, which the certificate names`,
  );
  const short = Object.entries(target.actors).flatMap(([actor, credentials]) =>
    (['key', 'secret'] as const)
      .filter((part) => credentials && credentials[part].length < MIN_SECRET_LENGTH)
      .map(
        (part) =>
          `actors.${actor}.${part}: has fewer than ${MIN_SECRET_LENGTH} characters, so the kit cannot keep it out of the package; use a longer one`,
      ),
  );
  const agents = Object.keys(target.headers)
    .filter((name) => name.toLowerCase() === 'user-agent')
    .map(
      (name) =>
        `headers.${name}: certify sends its own User-Agent, which names the kit and the ticket; remove the field`,
    );
  const problems = [...missing, ...short, ...agents];
  if (problems.length > 0) throw new ConfigurationError(...problems);
}

/** What the header of a run that certifies says, without the earlier attempts. */
export async function certificationOf(
  target: Target,
  { operator, ticket }: CertificationWords,
): Promise<Omit<Certification, 'attempts'>> {
  const fingerprint = targetProxy(target)
    ? null
    : await serverCertificate({
        url: target.baseUrl,
        ca: trustedAuthorities(target),
        certificate: readClientCertificate(target),
        timeoutMs: target.limits.requestTimeoutMs,
      });
  return { operator, ticket, kit: kitIdentity(), serverCertificate: fingerprint };
}

import type { Waiver } from '../../specs/certification/policy.ts';
import type { CertificateStatement } from '../../specs/certification/statements.ts';
import type { Report } from '../../specs/formats/report.ts';
import type { Subjects } from './statements.ts';

/** What a desk certifies. */
export interface Certificate {
  readonly report: Report;
  readonly waivers: readonly Waiver[];
  /** URI of the desk. */
  readonly verifier: string;
  /** Name and digest of the policy file. */
  readonly policy: Subjects[number];
  readonly createdAt: Date;
}

/** A Simple Verification Result about the files of a package. */
export function certificateStatementOf(certificate: Certificate, subject: Subjects): CertificateStatement {
  const { verifier, policy, createdAt, waivers } = certificate;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://in-toto.io/attestation/svr/v0.2',
    predicate: {
      verifier: { id: verifier, policies: [policy] },
      timeCreated: createdAt.toISOString(),
      properties: [propertyOf(certificate)],
      waivers: [...waivers],
    },
  };
}

/** `INVOICING_NETWORK_CERTIFIED_FULL`; exceptions and waivers are part of the name, so that nobody overlooks them. */
function propertyOf({ report: { run, exceptions }, waivers }: Certificate): string {
  return [
    `INVOICING_NETWORK_CERTIFIED_${run.profile.toUpperCase()}`,
    ...(exceptions.length > 0 ? ['WITH_EXCEPTIONS'] : []),
    ...(waivers.length > 0 ? ['WITH_WAIVERS'] : []),
  ].join('_');
}

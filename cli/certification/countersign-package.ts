import { digestOf, type PackageContent } from '../../reporting/certification/archive.ts';
import { type Certificate, certificateStatementOf } from '../../reporting/certification/certificate.ts';
import { renderCertificate } from '../../reporting/certification/certificate-page.tsx';
import { type KeyPair, keyId, sealStatement, signAlso } from '../../reporting/certification/envelope.ts';
import { toJson } from '../../reporting/certification/package-json.ts';
import { PACKAGE_FILES } from '../../specs/certification/package.ts';
import { envelope } from '../../specs/certification/statements.ts';

interface Countersignature {
  readonly certificate: Certificate;
  readonly key: KeyPair;
  /** Ids of the keys with which the partner has signed. */
  readonly signers: readonly string[];
}

/** The package with the certificate, and with the signature of the desk on the statements of the partner. */
export function countersignPackage(
  content: PackageContent,
  { certificate, key, signers }: Countersignature,
): PackageContent {
  const page = Buffer.from(renderCertificate(certificate, { partner: signers, desk: keyId(key.publicKey) }));
  const subjects = [PACKAGE_FILES.manifest, PACKAGE_FILES.certificatePage].map((name) => ({
    name,
    digest: { sha256: digestOf(name === PACKAGE_FILES.manifest ? (content.get(name) ?? new Uint8Array()) : page) },
  }));
  const countersigned = [PACKAGE_FILES.testResult, PACKAGE_FILES.run].map((path): [string, Uint8Array] => {
    const signed = envelope.parse(JSON.parse(Buffer.from(content.get(path) ?? new Uint8Array()).toString()));
    return [path, toJson(signAlso(signed, key))];
  });
  return new Map<string, Uint8Array>([
    ...content,
    ...countersigned,
    [PACKAGE_FILES.certificate, toJson(sealStatement(certificateStatementOf(certificate, subjects), key))],
    [PACKAGE_FILES.certificatePage, page],
  ]);
}

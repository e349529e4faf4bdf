import type { Blocker, Verification } from '../../specs/certification/verification.ts';
import type { Report } from '../../specs/formats/report.ts';

/** A package may come from a machine whose clock is a little ahead. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;

interface Signatures {
  /** The accepted keys that have signed both statements. */
  readonly signers: readonly string[];
  /** Whether any key has signed. */
  readonly isSigned: boolean;
}

export function signatureProblems({ signers, isSigned }: Signatures, keys: readonly unknown[]): Blocker[] {
  if (signers.length > 0) return [];
  const blocker = (problem: string, remedy: string): Blocker => ({ kind: 'signature', problem, remedy });
  if (!isSigned) return [blocker('the package is not signed', 'ask the partner to seal the run with --key')];
  return keys.length === 0
    ? [
        blocker(
          'no key was given, so the signature was not verified',
          'name the public key of the partner with --key, or in the policy',
        ),
      ]
    : [
        blocker(
          'no accepted key has signed the package',
          'ask the partner for its public key, or for a package signed with the known one',
        ),
      ];
}

/** One key must not vouch for both sides. */
export function certificateSignatureProblems(
  certificate: Verification['certificate'],
  partners: readonly string[],
): Blocker[] {
  if (certificate === null) return [];
  const blocker = (problem: string): Blocker => ({
    kind: 'signature',
    problem,
    remedy: 'name the public keys of the desk and of the partner with --key, or in the policy',
  });
  if (certificate.signers.length === 0) return [blocker('no accepted key has signed the certificate')];
  const isOneParty = partners.every((id) => certificate.signers.includes(id));
  return isOneParty ? [blocker('no accepted key but that of the certificate has signed the package')] : [];
}

export function sealTimeProblems(sealedAt: string, { run }: Report, now: Date): Blocker[] {
  const sealed = Date.parse(sealedAt);
  const problems = [
    ...(sealed < Date.parse(run.finishedAt)
      ? ['the package was sealed before its run ended: a clock was turned back']
      : []),
    ...(sealed > now.getTime() + CLOCK_TOLERANCE_MS ? ['the package was sealed in the future: a clock is wrong'] : []),
  ];
  return problems.map((problem) => ({
    kind: 'evidence' as const,
    problem,
    remedy: 'correct the clock and certify again',
  }));
}

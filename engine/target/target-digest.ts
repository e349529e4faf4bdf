import { createHash } from 'node:crypto';
import type { Target } from '../../specs/target-file/target.ts';

/** SHA-256 of the parts of a target file that decide which checks can be judged. It contains no key and no secret. */
export function targetDigest({ actors, counterparties, operations, notOffered, simulatesWithdrawals }: Target): string {
  const organizations = Object.entries(actors).map(([name, actor]) => [name, actor?.organizationId ?? null]);
  const text = JSON.stringify([organizations, counterparties, operations, notOffered, simulatesWithdrawals]);
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

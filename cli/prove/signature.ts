import type { Fault } from '../../reference/faults/fault.ts';
import { type Signature, statusOfActual } from '../../specs/fault-signatures.ts';
import { isRed } from '../../specs/verdicts.ts';
import type { CheckOutcome } from './judge-server.ts';

/** The signature of a fault: the checks that fail or warn on its server, in catalogue order. */
export function signatureOf(
  { id, requirement, defect }: Pick<Fault, 'id' | 'requirement' | 'defect'>,
  judged: readonly CheckOutcome[],
): Signature {
  const red = judged.filter(isRed).map((outcome) => [outcome.id, statusOfActual(outcome.actual)] as const);
  return { fault: id, requirement, defect, red: Object.fromEntries(red) };
}

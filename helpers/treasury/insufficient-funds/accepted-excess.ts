import type { ApiResponse } from '../../../engine/model/messages.ts';
import { runState } from '../../context/run-state.ts';

/** A withdrawal beyond the funds that the server accepted in a check that judges something else. */
interface AcceptedExcess {
  amount: string;
  /** The balance before the withdrawal. */
  before: ApiResponse;
  response: ApiResponse;
}

/** Left for TREAS-01: after such a withdrawal, the balance may show no funds to exceed. */
export const acceptedExcesses = runState((): AcceptedExcess[] => []);

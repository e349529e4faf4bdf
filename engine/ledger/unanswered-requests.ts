import type { CheckId } from '../../specs/generated/ids.ts';
import { runState } from './run-ledger.ts';

/** For each request line that got no response while the target responded to others, the check that failed by it first. */
export const unansweredRequests = runState(() => new Map<string, CheckId>());

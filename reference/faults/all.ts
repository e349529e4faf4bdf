import { authenticationFaults } from './authentication.ts';
import { authenticationEverywhereFaults } from './authentication-everywhere.ts';
import { broadFaults } from './broad.ts';
import { connectionFaults } from './connections.ts';
import { createBodyFaults } from './create-bodies.ts';
import { createEdgeFaults } from './create-edges.ts';
import { environmentFaults } from './environments.ts';
import { errorFaults } from './errors.ts';
import type { Fault } from './fault.ts';
import { idempotencyFaults } from './idempotency.ts';
import { isolationFaults } from './isolation.ts';
import { kindFaults } from './kinds.ts';
import { lenientFieldFaults } from './lenient-fields.ts';
import { lifecycleFaults } from './lifecycle.ts';
import { listFaults } from './lists.ts';
import { listBoundFaults } from './lists-bounds.ts';
import { listsToldFaults } from './lists-told.ts';
import { otherKeyFaults } from './other-keys.ts';
import { permissionFaults } from './permissions.ts';
import { productionWriteFaults } from './production-writes.ts';
import { rateLimitFaults } from './rate-limits.ts';
import { recordFaults } from './records.ts';
import { resetFaults } from './reset.ts';
import { treasuryFaults } from './treasury.ts';
import { webhookFaults } from './webhooks.ts';

/** Every one-defect server, area by area. */
export const allFaults: readonly Fault[] = [
  ...authenticationFaults,
  ...authenticationEverywhereFaults,
  ...environmentFaults,
  ...recordFaults,
  ...listFaults,
  ...listBoundFaults,
  ...listsToldFaults,
  ...createBodyFaults,
  ...lenientFieldFaults,
  ...createEdgeFaults,
  ...connectionFaults,
  ...lifecycleFaults,
  ...idempotencyFaults,
  ...isolationFaults,
  ...kindFaults,
  ...permissionFaults,
  ...otherKeyFaults,
  ...errorFaults,
  ...webhookFaults,
  ...treasuryFaults,
  ...resetFaults,
  ...productionWriteFaults,
  ...rateLimitFaults,
  ...broadFaults,
];

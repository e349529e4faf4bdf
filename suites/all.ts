import type { Check } from '../helpers/check.ts';
import { authentication } from './authentication.ts';
import { connections } from './connections.ts';
import { create } from './create.ts';
import { createEdges } from './create-edges.ts';
import { createGenerated } from './create-generated.ts';
import { createRefusals } from './create-refusals.ts';
import { environments } from './environments.ts';
import { isolation } from './isolation.ts';
import { lifecycleSuite } from './lifecycle.ts';
import { lists } from './lists.ts';
import { listsBounds } from './lists-bounds.ts';
import { listsSorting } from './lists-sorting.ts';
import { permissions } from './permissions.ts';
import { rateLimits } from './rate-limits.ts';
import { replayedCreation } from './replayed-creation.ts';
import { replayedSubmission } from './replayed-submission.ts';
import { replayedTreasury } from './replayed-treasury.ts';
import { reset } from './reset.ts';
import { separateRequests } from './separate-requests.ts';
import { service } from './service.ts';
import { treasurySuite } from './treasury.ts';
import { webhooks } from './webhooks.ts';

/** Every check that asks something of its own, the areas in the contract's order but for one. */
export const allChecks: readonly Check[] = [
  // First, so that what is replayed at the end of the run is as old as can be.
  ...replayedCreation,
  ...separateRequests,
  ...replayedSubmission,
  ...replayedTreasury,
  ...service,
  ...lifecycleSuite,
  ...lists,
  ...listsBounds,
  ...listsSorting,
  ...create,
  ...createRefusals,
  ...createGenerated,
  ...createEdges,
  ...connections,
  ...webhooks,
  ...reset,
  ...authentication,
  ...environments,
  ...isolation,
  ...permissions,
  ...treasurySuite,
  ...rateLimits,
];

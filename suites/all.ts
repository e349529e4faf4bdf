import type { Check } from '../helpers/check.ts';
import { authentication } from './authentication.ts';
import { connections } from './connections.ts';
import { create } from './create.ts';
import { createAlone } from './create-alone.ts';
import { createEdges } from './create-edges.ts';
import { createGenerated } from './create-generated.ts';
import { createRefusals } from './create-refusals.ts';
import { environments } from './environments.ts';
import { everyKey } from './every-key.ts';
import { gatedReplays } from './gated-replays.ts';
import { isolation } from './isolation.ts';
import { lifecycleSuite } from './lifecycle.ts';
import { lists } from './lists.ts';
import { listsBounds } from './lists-bounds.ts';
import { listsSorting } from './lists-sorting.ts';
import { listsTold } from './lists-told.ts';
import { noJson } from './no-json.ts';
import { oneState } from './one-state.ts';
import { permissions, permissionToWithdraw } from './permissions.ts';
import { productionWrites } from './production-writes.ts';
import { rateLimits } from './rate-limits.ts';
import { realMoney } from './real-money.ts';
import { refusedFirst } from './refused-first.ts';
import { replayedCreation } from './replayed-creation.ts';
import { replayedSubmission } from './replayed-submission.ts';
import { replayedTreasury } from './replayed-treasury.ts';
import { reset } from './reset.ts';
import { separateRequests } from './separate-requests.ts';
import { service } from './service.ts';
import { treasurySuite } from './treasury.ts';
import { unfundedAnnounced, webhooks } from './webhooks.ts';

/**
 * Every check that asks something of its own. They begin in this order, as places become free; it decides no verdict, but how
 * long a run takes over a slow wire.
 */
export const allChecks: readonly Check[] = [
  // These have the creations, or the funds, to themselves for a while; what is replayed late is to be as old as can be.
  ...createAlone,
  ...treasurySuite,
  unfundedAnnounced,
  ...realMoney,
  // Meanwhile most of these move nothing …
  ...authentication,
  ...service,
  ...lists,
  ...listsBounds,
  ...listsSorting,
  ...listsTold,
  ...replayedCreation,
  ...create,
  ...replayedTreasury,
  permissionToWithdraw,
  // … and these move no money.
  ...createRefusals,
  ...createGenerated,
  ...createEdges,
  // These wait for what a server may send, or never sends.
  ...webhooks,
  // The longest chains.
  ...lifecycleSuite,
  ...replayedSubmission,
  ...oneState,
  ...noJson,
  ...separateRequests,
  ...refusedFirst,
  ...environments,
  ...everyKey,
  ...gatedReplays,
  ...connections,
  ...isolation,
  ...permissions,
  ...productionWrites,
  ...rateLimits,
  ...reset,
];

import type { Variation } from '../overrides/server-overrides.ts';
import { partyVariations } from './acting-parties.ts';
import { actionVariations } from './actions.ts';
import { creationVariations } from './creation.ts';
import { idempotencyVariations } from './idempotency.ts';
import { identifierVariations } from './identifiers.ts';
import { lateVariations } from './late-effects.ts';
import { settingVariations } from './limits-and-treasury.ts';
import { listVariations } from './lists.ts';
import { permissionVariations } from './permissions.ts';
import { recordVariations } from './records.ts';
import { replicaVariations } from './replicas.ts';
import { placeVariations } from './request-locations.ts';
import { wireVariations } from './response-format.ts';
import { sandboxVariations } from './sandbox-traffic.ts';
import { serviceVariations } from './service.ts';
import { webhookVariations } from './webhooks.ts';

/** Every honest way to differ, in the order in which they can be composed. */
export const allVariations: readonly Variation[] = [
  ...recordVariations,
  ...identifierVariations,
  ...creationVariations,
  ...listVariations,
  ...sandboxVariations,
  ...actionVariations,
  ...partyVariations,
  ...placeVariations,
  ...idempotencyVariations,
  ...webhookVariations,
  ...settingVariations,
  ...permissionVariations,
  ...replicaVariations,
  ...lateVariations,
  ...serviceVariations,
  ...wireVariations,
];

import type { Variation } from '../overrides/server-overrides.ts';
import { actingPartyVariations } from './acting-parties.ts';
import { actionVariations } from './actions.ts';
import { creationVariations } from './creation.ts';
import { idempotencyVariations } from './idempotency.ts';
import { identifierVariations } from './identifiers.ts';
import { lateEffectVariations } from './late-effects.ts';
import { limitAndTreasuryVariations } from './limits-and-treasury.ts';
import { listVariations } from './lists.ts';
import { permissionVariations } from './permissions.ts';
import { recordVariations } from './records.ts';
import { replicaVariations } from './replicas.ts';
import { requestLocationVariations } from './request-locations.ts';
import { responseFormatVariations } from './response-format.ts';
import { sandboxTrafficVariations } from './sandbox-traffic.ts';
import { serviceVariations } from './service.ts';
import { webhookVariations } from './webhooks.ts';

/** Every honest way to differ, in the order in which they can be composed. */
export const allVariations: readonly Variation[] = [
  ...recordVariations,
  ...identifierVariations,
  ...creationVariations,
  ...listVariations,
  ...sandboxTrafficVariations,
  ...actionVariations,
  ...actingPartyVariations,
  ...requestLocationVariations,
  ...idempotencyVariations,
  ...webhookVariations,
  ...limitAndTreasuryVariations,
  ...permissionVariations,
  ...replicaVariations,
  ...lateEffectVariations,
  ...serviceVariations,
  ...responseFormatVariations,
];

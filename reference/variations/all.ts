import { actionVariations } from './actions.ts';
import { creationVariations } from './creation.ts';
import { idempotencyVariations } from './idempotency.ts';
import { identifierVariations } from './identifiers.ts';
import { lateVariations } from './late.ts';
import { listVariations } from './lists.ts';
import { partyVariations } from './parties.ts';
import { permissionVariations } from './permissions.ts';
import { placeVariations } from './places.ts';
import { recordVariations } from './records.ts';
import { replicaVariations } from './replicas.ts';
import { sandboxVariations } from './sandbox.ts';
import { serviceVariations } from './service.ts';
import { settingVariations } from './settings.ts';
import type { Variation } from './variation.ts';
import { webhookVariations } from './webhooks.ts';
import { wireVariations } from './wire.ts';

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

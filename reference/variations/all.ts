import type { Variation } from '../overrides/server-overrides.ts';
import { creationVariations } from './creation.ts';
import { idempotencyVariations } from './idempotency.ts';
import { actingPartyVariations } from './lifecycle/acting-parties.ts';
import { actionVariations } from './lifecycle/actions.ts';
import { lateEffectVariations } from './lifecycle/late-effects.ts';
import { listVariations } from './lists.ts';
import { identifierVariations } from './records/identifiers.ts';
import { recordVariations } from './records/records.ts';
import { responseFormatVariations } from './records/response-format.ts';
import { resetVariations } from './reset.ts';
import { permissionVariations } from './service/permissions.ts';
import { precedenceVariations } from './service/precedence.ts';
import { rateLimitVariations } from './service/rate-limits.ts';
import { replicaVariations } from './service/replicas.ts';
import { requestLocationVariations } from './service/request-locations.ts';
import { sandboxTrafficVariations } from './service/sandbox-traffic.ts';
import { serviceVariations } from './service/service.ts';
import { undeclaredRequestVariations } from './service/undeclared-requests.ts';
import { treasuryVariations } from './treasury.ts';
import { webhookVariations } from './webhooks.ts';

/** All variations, in the order in which they can be composed. */
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
  ...resetVariations,
  ...treasuryVariations,
  ...precedenceVariations,
  ...rateLimitVariations,
  ...permissionVariations,
  ...replicaVariations,
  ...lateEffectVariations,
  ...undeclaredRequestVariations,
  ...serviceVariations,
  ...responseFormatVariations,
];

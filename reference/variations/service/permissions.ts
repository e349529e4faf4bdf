import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import type { Call } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';

const organizationOf = ({ store, organizationId }: Call) => store.organizations.get(organizationId)?.name ?? '';

/** Returns 403 if `may` returns false for the key of the call, before anything else is judged. */
export const restrictPermissions = (may: (call: Call, organization: string) => boolean): RuleChange =>
  overrideRules((base) => ({
    authorize: (call) => {
      base.authorize(call);
      if (!may(call, organizationOf(call))) throw rejections.lacksPermission();
    },
  }));

const OF_SETTINGS_AND_MONEY = ['subscribe', 'reset', 'balance', 'withdraw'];

/** Keys without permissions that the kit could use. The affected checks cannot be judged, and no check fails. */
export const permissionVariations: readonly Variation[] = [
  {
    id: 'buyer-may-not-approve',
    openPoint: 'OP-80',
    choice: "the buyer's key may not approve",
    rules: restrictPermissions(({ route }, organization) => organization !== 'Buyer' || route.name !== 'approve'),
  },
  {
    id: 'keys-for-invoices-only',
    openPoint: 'OP-80',
    choice: 'keys are for invoices only, not for webhooks, the treasury or a reset',
    rules: restrictPermissions(({ route }) => !OF_SETTINGS_AND_MONEY.includes(route.name)),
  },
  {
    id: 'production-may-not-list',
    openPoint: 'OP-80',
    choice: 'the production key may not list',
    rules: restrictPermissions(({ route, environment }) => environment !== 'PRODUCTION' || route.name !== 'list'),
  },
];

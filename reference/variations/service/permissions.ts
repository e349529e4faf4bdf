import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import type { Call } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';

const organizationOf = ({ store, organizationId }: Call) => store.organizations.get(organizationId)?.name ?? '';

/** The key of the call gets 403 wherever `may` says no, before anything else about the request is judged. */
export const restrictPermissions = (may: (call: Call, organization: string) => boolean): RuleChange =>
  overrideRules((base) => ({
    authorize: (call) => {
      base.authorize(call);
      if (!may(call, organizationOf(call))) throw rejections.lacksPermission();
    },
  }));

const OF_SETTINGS_AND_MONEY = ['subscribe', 'reset', 'balance', 'withdraw'];

/** Keys that lack permissions which the kit could use. What needs them cannot be judged, and no check fails. */
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

import { lifecycle } from '../../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { Invoice, Store } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { isReadCall } from '../support/environments.ts';

const HOUR_MS = 3_600_000;

export const isolationOrganizationsFaults: readonly Fault[] = [
  {
    id: 'iso-read-foreign',
    requirement: 'ISO-04',
    defect: 'One invoice is read by its id alone.',
    caughtBy: ['ISO-04.read'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) =>
        (isReadCall(call) ? call.world.invoices.get(id) : undefined) ?? base.findInvoice(call, id),
    })),
  },
  {
    id: 'iso-archive-foreign',
    requirement: 'ISO-04',
    defect: 'An invoice older than an hour is read from the archive, which does not check the owner.',
    caughtBy: ['ISO-04.listed-by-others'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const found = isReadCall(call) ? call.world.invoices.get(id) : undefined;
        const archived = found && call.rules.now().getTime() - Date.parse(found.createdAt) > HOUR_MS;
        return archived ? found : base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-read-upper-case',
    requirement: 'ISO-04',
    defect: 'An id in upper case is looked up again in lower case, without a check of the owner.',
    caughtBy: ['ISO-04.read'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) =>
        (id === id.toLowerCase() ? undefined : call.world.invoices.get(id.toLowerCase())) ?? base.findInvoice(call, id),
    })),
  },
  {
    id: 'iso-read-403',
    requirement: 'ISO-04',
    defect: 'An invoice of another organization is rejected with 403, which reveals that it exists.',
    caughtBy: ['ISO-04.read'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const own = [...call.world.invoices.values()].find((each) => each.id === id);
        const party = own && [own.sellerOrganizationId, own.buyerOrganizationId].includes(call.organizationId);
        if (own && !party && isReadCall(call)) throw rejections.wrongParty();
        return base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-settled-shown-to-foreign',
    requirement: 'ISO-04',
    defect: 'The approval of a SETTLED invoice is rejected because of its state before the owner is checked.',
    caughtBy: ['ISO-04.wrong-state'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const settled = call.world.invoices.get(id)?.status === 'SETTLED';
        if (settled && call.route.name === 'approve') throw rejections.actionNotAllowed();
        return base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-state-before-owner',
    requirement: 'ISO-04',
    defect:
      'The state is checked before the owner: a third organization learns the state of an invoice from the error.',
    caughtBy: ['ISO-04.wrong-state'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const invoice = call.world.invoices.get(id);
        const action = lifecycle.actions.find((each) => each === call.route.name);
        if (invoice && action && !lifecycle.offered[invoice.status].includes(action))
          throw rejections.actionNotAllowed();
        return base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-read-by-number',
    requirement: 'ISO-04',
    defect: 'Support reads invoices by their number, without a check of the owner.',
    caughtBy: ['ISO-04.read'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const named = [...call.world.invoices.values()].find(({ invoiceNumber }) => invoiceNumber === id);
        return isReadCall(call) && named ? named : base.findInvoice(call, id);
      },
    })),
  },
  /** "One action forgets whose invoice it is": every action but one looks up the owner of an id. */
  ...lifecycle.actions.map(
    (action): Fault => ({
      id: `iso-${action}-foreign`,
      requirement: 'ISO-04',
      defect: `${action} loads the invoice by its id alone and checks neither owner nor party.`,
      caughtBy: [`ISO-04.${action}` as CheckId],
      rules: overrideRules((base) => ({
        findInvoice: (call, id) =>
          call.route.name === action
            ? (call.world.invoices.get(id) ?? base.findInvoice(call, id))
            : base.findInvoice(call, id),
        checkParty: (call, invoice, asked) => {
          const own = [invoice.sellerOrganizationId, invoice.buyerOrganizationId].includes(call.organizationId);
          if (asked !== action || own) base.checkParty(call, invoice, asked);
        },
      })),
    }),
  ),
  {
    id: 'iso-cancelled-foreign',
    requirement: 'ISO-04',
    defect: 'A cancelled invoice can be read by any organization: the archive does not check the owner.',
    caughtBy: ['ISO-04.every-state'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const found = call.world.invoices.get(id);
        return isReadCall(call) && found?.status === 'CANCELLED' ? found : base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-other-currency-foreign',
    requirement: 'ISO-04',
    defect:
      'Invoices in other currencies are read from the table of the exchange desk, which does not check the owner.',
    caughtBy: ['ISO-04.every-variant'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const found = call.world.invoices.get(id);
        return isReadCall(call) && found && found.currency !== 'EUR' ? found : base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-resolved-cancelled-by-foreign',
    requirement: 'ISO-04',
    defect: 'Mediators may cancel disputed invoices, and every caller counts as a mediator.',
    caughtBy: ['ISO-04.wrong-state'],
    rules: overrideRules((base) => {
      const mayMediate = (call: Call, invoice: Invoice | undefined): invoice is Invoice =>
        call.route.name === 'cancel' && invoice !== undefined && invoice.notes.length > 0;
      return {
        findInvoice: (call, id) => {
          const found = call.world.invoices.get(id);
          return mayMediate(call, found) ? found : base.findInvoice(call, id);
        },
        checkParty: (call, invoice, action) => {
          if (!mayMediate(call, invoice)) base.checkParty(call, invoice, action);
        },
      };
    }),
  },
  {
    id: 'treas-balance-cached-across-organizations',
    requirement: 'ISO-07',
    defect: 'The last balance is cached for a second and returned to any organization.',
    caughtBy: ['ISO-07.balance'],
    rules: overrideRules((base) => {
      const kept = new WeakMap<Store, { organizationId: string; cents: bigint; until: number }>();
      return {
        balance: (call) => {
          const known = kept.get(call.store);
          const { organizationId } = call;
          if (known && known.organizationId !== organizationId && performance.now() < known.until) return known.cents;
          const cents = base.balance(call);
          kept.set(call.store, { organizationId, cents, until: performance.now() + 1_000 });
          return cents;
        },
      };
    }),
  },
];

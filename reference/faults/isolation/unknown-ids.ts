import type { InvoiceAction } from '../../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { isReadCall } from '../support/environments.ts';
import { keepDeleted } from '../support/records.ts';

/** Rejects an action on an id that does not exist with another error. */
function absent(action: InvoiceAction, refusal: () => Error, how: string): Fault {
  return {
    id: `iso-${action}-absent`,
    requirement: 'ISO-05',
    defect: `${action} with an id that does not exist ${how}.`,
    caughtBy: [`ISO-05.${action}` as CheckId],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        if (call.route.name === action && !call.world.invoices.has(id)) throw refusal();
        return base.findInvoice(call, id);
      },
    })),
  };
}

/** Deleted drafts are only marked as deleted, and this submission restores one. */
const broughtBack = (by: (call: Call) => boolean) =>
  keepDeleted((base, deleted) => ({
    findInvoice: (call, id) => {
      const marked = deleted.get(id);
      if (!marked || call.route.name !== 'submit' || !by(call)) return base.findInvoice(call, id);
      deleted.delete(id);
      call.world.invoices.set(id, marked);
      return marked;
    },
  }));

export const isolationUnknownIdsFaults: readonly Fault[] = [
  {
    id: 'iso-read-absent-null',
    requirement: 'ISO-05',
    defect: 'Reading an id that does not exist returns 200 with null.',
    caughtBy: ['ISO-05.read'],
    routes: (base) =>
      base.map((route) =>
        route.name === 'read'
          ? {
              ...route,
              perform: (call) =>
                call.world.invoices.has(call.request.params.id ?? '')
                  ? route.perform(call)
                  : { status: 200, body: null },
            }
          : route,
      ),
  },
  {
    id: 'iso-other-id-form-crashes',
    requirement: 'ISO-05',
    defect: 'An id that is not a UUID makes the database throw: 500.',
    caughtBy: ['ISO-05.unusual-form', 'ERR-05.no-internal-error'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        if (!/^[0-9a-f-]{36}$/.test(id)) throw new TypeError('invalid input syntax for type uuid');
        return base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-other-id-form-crashes-actions',
    requirement: 'ISO-05',
    defect: 'An action looks up its invoice by a UUID: any other id breaks the query, 500.',
    caughtBy: ['ISO-05.unusual-form'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        if (call.route.name !== 'read' && id === 'no-such-form') throw new TypeError('Invalid UUID string');
        return base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-deleted-submitted',
    requirement: 'ISO-05',
    defect: 'Deleted drafts are only marked, and submitting one restores it.',
    caughtBy: ['ISO-05.deleted'],
    rules: broughtBack(() => true),
  },
  {
    id: 'iso-deleted-submitted-with-request-id',
    requirement: 'ISO-05',
    defect: 'A submission with a requestId finds its invoice by another query, which ignores the deletion mark.',
    caughtBy: ['ISO-05.deleted'],
    rules: broughtBack((call) => call.body.requestId !== undefined),
  },
  {
    id: 'iso-deleted-read-by-buyer',
    requirement: 'ISO-05',
    defect: 'A deleted draft is hidden from its seller but can be read by its buyer.',
    caughtBy: ['ISO-05.deleted'],
    rules: keepDeleted((base, deleted) => ({
      findInvoice: (call, id) => {
        const gone = deleted.get(id);
        return gone?.buyerOrganizationId === call.organizationId ? gone : base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-read-like',
    requirement: 'ISO-05',
    defect: 'One invoice is read with LIKE: the beginning of an id finds it.',
    caughtBy: ['ISO-05.similar-ids'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const like = isReadCall(call) && base.visibleInvoices(call).find((invoice) => invoice.id.startsWith(id));
        return like || base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-read-by-pattern',
    requirement: 'ISO-05',
    defect: 'One invoice is read with LIKE: a wildcard in its id finds it.',
    caughtBy: ['ISO-05.similar-ids'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const like = (each: string) =>
          each.length === id.length && [...id].every((one, at) => one === '_' || one === each[at]);
        const found =
          isReadCall(call) && id.includes('_') && base.visibleInvoices(call).find((invoice) => like(invoice.id));
        return found || base.findInvoice(call, id);
      },
    })),
  },
  absent('submit', rejections.noSuchRoute, 'is rejected with 404 without the code of the module'),
  absent('delete', rejections.actionNotAllowed, 'is rejected with 412: no row was in the right state'),
  absent('approve', rejections.actionNotAllowed, 'is rejected with 412: no row was in the right state'),
  absent('dispute', () => rejections.invalidInvoice('unknown id'), 'is rejected as an invalid request'),
  absent('cancel', rejections.actionConflict, 'is rejected as a conflict'),
  absent('settle', rejections.notEnoughFunds, 'is rejected for insufficient funds'),
  absent('resolve', () => new TypeError('invoice is undefined'), 'crashes'),
  {
    id: 'iso-delete-absent-is-done',
    requirement: 'ISO-05',
    defect: 'Deleting an id that does not exist counts as done and returns 204.',
    caughtBy: ['ISO-05.delete'],
    routes: (base) =>
      base.map((route) =>
        route.name === 'delete'
          ? {
              ...route,
              perform: (call) =>
                call.world.invoices.has(call.request.params.id ?? '') ? route.perform(call) : { status: 204 },
            }
          : route,
      ),
  },
];

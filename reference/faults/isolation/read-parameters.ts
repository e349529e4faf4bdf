import { overrideRules } from '../../overrides/override-rules.ts';
import { RejectionError, rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { isReadCall, otherEnvironmentOf } from '../support/environments.ts';
import { queryParameter } from '../support/lists.ts';

class UnchangedError extends RejectionError {
  constructor() {
    super(304, '', '');
  }
}

export const isolationReadParametersFaults: readonly Fault[] = [
  {
    id: 'iso-read-by-tenant-header',
    requirement: 'ISO-04',
    defect: 'A tenant header, which the gateway sets for dashboard sessions, is accepted from API keys.',
    caughtBy: ['ISO-04.read-parameters'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const tenant = isReadCall(call) ? call.request.headers.get('X-Tenant-Id') : null;
        return base.findInvoice(tenant ? { ...call, organizationId: tenant } : call, id);
      },
    })),
  },
  {
    id: 'iso-read-by-seller-parameter',
    requirement: 'ISO-04',
    defect: 'The organization of a read comes from the query, if the query has one.',
    caughtBy: ['ISO-04.read-parameters'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const organizationId = queryParameter(call, 'sellerId') ?? call.organizationId;
        return base.findInvoice(isReadCall(call) ? { ...call, organizationId } : call, id);
      },
    })),
  },
  {
    id: 'iso-read-as-admin',
    requirement: 'ISO-04',
    defect: 'A flag of the back office turns off the check of the owner.',
    caughtBy: ['ISO-04.read-parameters'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const found = call.world.invoices.get(id);
        return found && isReadCall(call) && queryParameter(call, 'admin') === 'true'
          ? found
          : base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-read-id-of-query',
    requirement: 'ISO-04',
    defect: 'The query overwrites the id of the path after the owner of that id was checked.',
    caughtBy: ['ISO-04.read-parameters'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const other = isReadCall(call) ? call.world.invoices.get(queryParameter(call, 'id') ?? '') : undefined;
        return other && !call.world.invoices.has(id) ? other : base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-read-expanded',
    requirement: 'ISO-04',
    defect: 'A read with relations uses another query, which has no condition for the organization.',
    caughtBy: ['ISO-04.read-parameters'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const found = call.world.invoices.get(id);
        return found && isReadCall(call) && queryParameter(call, 'include') !== null
          ? found
          : base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-conditional-read',
    requirement: 'ISO-04',
    defect: 'A conditional read is handled before the owner is checked: 304 for an invoice of another organization.',
    caughtBy: ['ISO-04.read'],
    rules: overrideRules((base) => ({
      renderError: (refusal) => {
        const response = base.renderError(refusal);
        return refusal instanceof UnchangedError ? { status: 304 } : response;
      },
      findInvoice: (call, id) => {
        const isConditional = call.request.headers.has('If-None-Match') && isReadCall(call);
        if (isConditional && call.world.invoices.has(id)) throw new UnchangedError();
        return base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-not-found-cached',
    requirement: 'ISO-04',
    defect: 'A 404 is cached by the id for a minute, also for the organization that owns the invoice.',
    caughtBy: ['ISO-04.read'],
    rules: overrideRules((base) => {
      const missing = new Map<string, number>();
      return {
        findInvoice: (call, id) => {
          if (isReadCall(call) && (missing.get(id) ?? 0) > performance.now()) throw rejections.invoiceNotFound();
          try {
            return base.findInvoice(call, id);
          } catch (error) {
            missing.set(id, performance.now() + 60_000);
            throw error;
          }
        },
      };
    }),
  },
  {
    id: 'iso-read-by-mode',
    requirement: 'ISO-02',
    defect: 'A parameter of the old interface selects the environment of a read.',
    caughtBy: ['ISO-02.read'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const isLive = isReadCall(call) && queryParameter(call, 'livemode') === 'true';
        const switched = isLive && call.environment === 'SANDBOX';
        return base.findInvoice(switched ? { ...call, world: otherEnvironmentOf(call) } : call, id);
      },
    })),
  },
  {
    id: 'iso-read-in-test-mode',
    requirement: 'ISO-01',
    defect: 'A production key may read sandbox invoices in test mode, as the dashboard does.',
    caughtBy: ['ISO-01.read'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const isTest = isReadCall(call) && queryParameter(call, 'mode') === 'test';
        const switched = isTest && call.environment === 'PRODUCTION';
        return base.findInvoice(switched ? { ...call, world: otherEnvironmentOf(call) } : call, id);
      },
    })),
  },
];

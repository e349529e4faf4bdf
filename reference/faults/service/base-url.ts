import { overrideRules } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';

export const serviceBaseUrlFaults: readonly Fault[] = [
  {
    id: 'env-production-elsewhere',
    requirement: 'ORG-02',
    defect: 'Production keys work only on another host; this host rejects them.',
    caughtBy: ['ORG-02.production-served'],
    rules: overrideRules((base) => ({
      resolveEnvironment: (service, key, request) => {
        if (key.environment === 'PRODUCTION') throw rejections.environmentMismatch();
        return base.resolveEnvironment(service, key, request);
      },
    })),
  },
  {
    id: 'env-production-not-readable',
    requirement: 'ORG-02',
    defect: 'Reading one invoice is routed to the sandbox only, so a production key gets 404.',
    caughtBy: ['ORG-02.production-read'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        if (call.environment === 'PRODUCTION') throw rejections.invoiceNotFound();
        return base.findInvoice(call, id);
      },
    })),
  },
];

import { setTimeout as pause } from 'node:timers/promises';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import type { Invoice } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { changeReplayKey, RACE_WINDOW_MS, repeatOnReplay } from '../support/replays.ts';

/** Changes the invoice before a replay returns the original response. */
function onReplay(touch: (invoice: Invoice, call: Call) => void): RuleChange {
  return overrideRules((base) => {
    const made = new Map<string, Invoice>();
    return {
      issueInvoice: (call, input, invoiceNumber) => {
        const invoice = base.issueInvoice(call, input, invoiceNumber);
        if (input.requestId) made.set(`${call.organizationId} ${input.requestId}`, invoice);
        return invoice;
      },
      replayKey: (call, requestId, subject) => {
        const invoice = call.route.name === 'create' ? made.get(`${call.organizationId} ${requestId}`) : undefined;
        if (invoice) touch(invoice, call);
        return base.replayKey(call, requestId, subject);
      },
    };
  });
}

const LATE_MS = 300;

export const idempotencySingleInvoiceFaults: readonly Fault[] = [
  {
    id: 'idem-replay-created-later',
    requirement: 'IDEM-02',
    defect: 'A replay returns the stored response and is also queued as a new creation.',
    caughtBy: ['IDEM-02.late-duplicate'],
    takesEffectLater: true,
    traffic: 'full',
    rules: overrideRules((base) => ({
      replay: async (call, key, perform) => {
        const stored = key !== undefined && call.route.name === 'create' && call.world.replays.has(key);
        if (stored) setTimeout(() => void Promise.resolve(perform()).catch(() => undefined), LATE_MS).unref();
        return base.replay(call, key, perform);
      },
    })),
  },
  {
    id: 'idem-all-fields-ignored',
    requirement: 'IDEM-02',
    defect: 'The requestId is read only by the mapper for bodies without a currency.',
    caughtBy: ['IDEM-02.all-fields'],
    rules: changeReplayKey('create', (requestId, { body }) => (body.currency === undefined ? requestId : undefined)),
  },
  {
    id: 'idem-replay-submits-draft',
    requirement: 'IDEM-02',
    defect: 'A replayed creation submits the draft.',
    caughtBy: ['IDEM-02.unchanged'],
    rules: onReplay((invoice) => {
      if (invoice.status === 'DRAFT') invoice.status = 'SUBMITTED';
    }),
  },
  {
    id: 'idem-replay-creates-again',
    requirement: 'IDEM-02',
    defect: 'The replay returns the original response, and the background job runs again.',
    caughtBy: ['IDEM-02.one-invoice'],
    rules: repeatOnReplay('create'),
  },
  {
    id: 'idem-race',
    requirement: 'IDEM-02',
    defect: 'An await separates the check of the requestId from its insertion: concurrent creations all pass.',
    caughtBy: ['IDEM-02.simultaneous', 'IDEM-04.simultaneous'],
    rules: overrideRules(() => ({
      replay: async ({ world: environment, organizationId }, key, perform) => {
        const stored = key === undefined ? undefined : environment.replays.get(key);
        if (stored) return stored.answer;
        if (key !== undefined) await pause(RACE_WINDOW_MS);
        const response = await perform();
        if (key !== undefined && response.status < 400)
          environment.replays.set(key, { organizationId, answer: response });
        return response;
      },
    })),
  },
  {
    id: 'idem-replay-renumbers',
    requirement: 'IDEM-02',
    defect: 'The invoice number is assigned before the requestId is looked up, and overwrites that of the original.',
    caughtBy: ['IDEM-02.unchanged'],
    rules: onReplay((invoice) => {
      invoice.invoiceNumber = `${invoice.invoiceNumber}0`;
    }),
  },
  {
    id: 'idem-other-body-overwrites',
    requirement: 'IDEM-02',
    defect: 'A creation with a known requestId is an upsert: it returns the original response but changes the invoice.',
    caughtBy: ['IDEM-02.unchanged'],
    rules: onReplay((invoice, { body }) => {
      if (typeof body.amount === 'string') invoice.amount = body.amount;
    }),
  },
];

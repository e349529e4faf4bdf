import { overrideRules } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { creationFault } from '../support/creation.ts';
import { changeBody, isReadResponse } from '../support/response-filters.ts';

export const creationPersistenceFaults: readonly Fault[] = [
  creationFault(
    'request-id-of-hexadecimal',
    'CREATE-14.generated',
    'A requestId with letters that do not occur in a UUID is rejected.',
    overrideRules((base) => ({
      validateCreate: (call) => {
        const input = base.validateCreate(call);
        if (/[G-Z]/.test(input.requestId ?? '')) throw rejections.invalidInvoice('requestId: not a UUID');
        return input;
      },
    })),
  ),
  {
    id: 'created-archived',
    requirement: 'CREATE-14',
    defect: 'Settled invoices are moved to an archive, and reading one invoice searches only the live table.',
    caughtBy: ['CREATE-14.readable-in-every-state'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const invoice = base.findInvoice(call, id);
        if (call.route.name === 'read' && invoice.status === 'SETTLED') throw rejections.invoiceNotFound();
        return invoice;
      },
    })),
  },
  {
    id: 'created-evicted',
    requirement: 'CREATE-14',
    defect: 'Reading one invoice searches a cache of the newest 300.',
    caughtBy: ['CREATE-14.readable-later'],
    traffic: 'full',
    rules: overrideRules((base) => {
      const made = new Map<string, number>();
      return {
        issueInvoice: (...given: Parameters<typeof base.issueInvoice>) => {
          const invoice = base.issueInvoice(...given);
          made.set(invoice.id, made.size);
          return invoice;
        },
        findInvoice: (call, id) => {
          const evicted = call.route.name === 'read' && made.size - (made.get(id) ?? made.size) > 300;
          if (evicted) throw rejections.invoiceNotFound();
          return base.findInvoice(call, id);
        },
      };
    }),
  },
  {
    id: 'created-twice',
    requirement: 'CREATE-14',
    defect: 'The queue delivers the creation twice, and the consumer creates two invoices.',
    caughtBy: ['CREATE-14.listed'],
    rules: overrideRules((base) => ({
      issueInvoice: (call, input, number) => {
        base.issueInvoice(call, input, `${number}-B`);
        return base.issueInvoice(call, input, number);
      },
    })),
  },
  {
    id: 'created-twice-sometimes',
    requirement: 'CREATE-14',
    defect: 'One creation in fifteen loses its lock and is carried out a second time.',
    caughtBy: ['CREATE-14.no-duplicates'],
    traffic: 'full',
    rules: overrideRules((base) => {
      let issued = 0;
      return {
        issueInvoice: (call, input, number) => {
          issued += 1;
          if (issued % 15 === 0) base.issueInvoice(call, input, `${number}-B`);
          return base.issueInvoice(call, input, number);
        },
      };
    }),
  },
  {
    id: 'created-read-differs',
    requirement: 'CREATE-14',
    defect: 'Reading one invoice shows the net amount, and the list shows the gross amount.',
    caughtBy: ['CREATE-14.readable'],
    rewrite: changeBody(isReadResponse, (record) => ({ ...record, amount: (Number(record.amount) * 0.84).toFixed(2) })),
  },
];

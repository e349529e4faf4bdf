import { overrideRules } from '../../overrides/override-rules.ts';
import { RejectionError, rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { changeBody, changeCodeStatus, statusFilter } from '../support/response-filters.ts';

export const errorsModuleCodesFaults: readonly Fault[] = [
  {
    id: 'conn-code-412-for-absent',
    requirement: 'ERR-06',
    defect: 'CONN003 is returned with 412.',
    caughtBy: ['ERR-06.conn003'],
    alsoRun: ['CONN-01.unknown'],
    rewrite: changeCodeStatus('CONN003', 412),
  },
  {
    id: 'conn-code-409-for-suspended',
    requirement: 'ERR-06',
    defect: 'CONN010 is returned with 409.',
    caughtBy: ['ERR-06.conn010'],
    alsoRun: ['CONN-02.suspended'],
    rewrite: changeCodeStatus('CONN010', 409),
  },
  {
    id: 'err-inv001-with-400',
    requirement: 'ERR-06',
    defect: 'INV001 is returned with 400.',
    caughtBy: ['ERR-06.inv001'],
    alsoRun: ['ISO-05.read'],
    rewrite: changeCodeStatus('INV001', 400),
  },
  {
    id: 'err-inv002-with-422',
    requirement: 'ERR-06',
    defect: 'INV002 is returned with 422.',
    caughtBy: ['ERR-06.inv002'],
    rewrite: changeCodeStatus('INV002', 422),
  },
  {
    id: 'err-inv003-with-400',
    requirement: 'ERR-06',
    defect: 'A number in the body is reported as a duplicate: INV003 with 400.',
    caughtBy: ['ERR-06.inv003'],
    alsoRun: ['CREATE-01.invoice-number'],
    rewrite: changeBody(statusFilter(400), (body) =>
      String(body.message).includes('invoiceNumber') ? { ...body, code: 'INV003' } : body,
    ),
  },
  {
    id: 'err-inv004-with-400',
    requirement: 'ERR-06',
    defect: 'INV004 is returned with 422.',
    caughtBy: ['ERR-06.inv004'],
    rewrite: changeCodeStatus('INV004', 422),
  },
  {
    id: 'err-treas007-with-402',
    requirement: 'ERR-06',
    defect: 'TREAS007 is returned with 402, Payment Required.',
    caughtBy: ['ERR-06.treas007'],
    alsoRun: ['TREAS-01.beyond-funds'],
    rewrite: changeCodeStatus('TREAS007', 402),
  },
  {
    id: 'err-treas007-with-200',
    requirement: 'ERR-06',
    defect: 'The treasury is an older service, which returns 200 for errors and describes them in the code.',
    caughtBy: ['ERR-06.treas007'],
    alsoRun: ['TREAS-01.settlement'],
    rewrite: changeCodeStatus('TREAS007', 200),
  },
  {
    id: 'err-permission-with-gateway-code',
    requirement: 'ERR-10',
    defect: 'One handler writes every 403 and knows only one code.',
    caughtBy: ['ERR-10.environment-codes'],
    alsoRun: ['PERM-01.create'],
    rules: overrideRules(() => ({
      authorize: ({ key, route }) => {
        if (!key.scopes.includes(route.scope)) throw rejections.environmentMismatch();
      },
    })),
  },
  {
    id: 'err-conflict-with-inv003',
    requirement: 'ERR-10',
    defect: 'Every conflict of the invoice module is reported with the code of the first one.',
    caughtBy: ['ERR-10.inv003'],
    alsoRun: ['LIFE-02.settled-approve'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (invoice.status !== 'SETTLED') return base.transition(call, invoice, action);
        throw new RejectionError(409, 'INV003', 'The invoice has been settled');
      },
    })),
  },
  {
    id: 'err-unknown-environment-with-404',
    requirement: 'ERR-06',
    defect: 'GW_UNKNOWN_ENVIRONMENT is returned with 404.',
    caughtBy: ['ERR-06.gw-unknown-environment'],
    alsoRun: ['ENV-01.list'],
    rewrite: changeCodeStatus('GW_UNKNOWN_ENVIRONMENT', 404),
  },
  {
    id: 'err-environment-mismatch-with-409',
    requirement: 'ERR-06',
    defect: 'GW_ENVIRONMENT_KEY_MISMATCH is returned with 409.',
    caughtBy: ['ERR-06.gw-environment-key-mismatch'],
    alsoRun: ['ENV-02.sandbox-key-list'],
    rewrite: changeCodeStatus('GW_ENVIRONMENT_KEY_MISMATCH', 409),
  },
  {
    id: 'err-environment-unavailable-with-404',
    requirement: 'ERR-06',
    defect: 'Production has no instances, and GW_ENVIRONMENT_UNAVAILABLE is returned with 404.',
    caughtBy: ['ERR-06.gw-environment-unavailable'],
    alsoRun: ['ORG-02.production-served'],
    rules: overrideRules((base) => ({
      resolveEnvironment: (service, key, request) => {
        if (key.environment === 'PRODUCTION') throw rejections.environmentUnavailable();
        return base.resolveEnvironment(service, key, request);
      },
    })),
    rewrite: changeCodeStatus('GW_ENVIRONMENT_UNAVAILABLE', 404),
  },
];

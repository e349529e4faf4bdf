import { createInvoice } from '../operations/create.ts';
import { createActionHandler } from '../operations/invoice-action.ts';
import { listInvoices } from '../operations/list.ts';
import { readInvoice } from '../operations/read.ts';
import { createSubscription, deleteSubscription, listSubscriptions, resetSandbox } from '../operations/settings.ts';
import { readBalance, withdrawFunds } from '../operations/treasury.ts';
import type { Route } from './call.ts';
import { type Action, transitions } from './lifecycle.ts';

const INVOICES_PATH = '/api/v1/invoices';

function actionRoute(name: Action): Route {
  const place =
    name === 'delete'
      ? { method: 'DELETE', path: `${INVOICES_PATH}/:id` }
      : { method: 'POST', path: `${INVOICES_PATH}/:id/${name}` };
  return { name, ...place, scope: 'write', perform: createActionHandler(name) };
}

/**
 * The interface of the service. The contract shows four operations; this service chooses the other methods and paths.
 */
export const defaultRoutes: readonly Route[] = [
  { name: 'list', method: 'GET', path: INVOICES_PATH, scope: 'read', perform: listInvoices },
  { name: 'create', method: 'POST', path: INVOICES_PATH, scope: 'write', perform: createInvoice },
  { name: 'read', method: 'GET', path: `${INVOICES_PATH}/:id`, scope: 'read', perform: readInvoice },
  ...(Object.keys(transitions) as Action[]).map(actionRoute),
  { name: 'balance', method: 'GET', path: '/api/v1/treasury/balance', scope: 'read', perform: readBalance },
  // The balance operation takes a requestId, which a GET cannot have in a body.
  { name: 'balance', method: 'POST', path: '/api/v1/treasury/balance', scope: 'read', perform: readBalance },
  { name: 'withdraw', method: 'POST', path: '/api/v1/treasury/withdraw', scope: 'write', perform: withdrawFunds },
  { name: 'subscribe', method: 'POST', path: '/api/v1/settings/webhooks', scope: 'write', perform: createSubscription },
  {
    name: 'subscriptions',
    method: 'GET',
    path: '/api/v1/settings/webhooks',
    scope: 'read',
    perform: listSubscriptions,
  },
  {
    name: 'unsubscribe',
    method: 'DELETE',
    path: '/api/v1/settings/webhooks/:id',
    scope: 'write',
    perform: deleteSubscription,
  },
  {
    name: 'reset',
    method: 'POST',
    path: '/api/v1/settings/api-keys/sandbox/reset',
    scope: 'write',
    perform: resetSandbox,
  },
];

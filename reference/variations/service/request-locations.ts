import type { BoundTargetInput } from '../../../specs/target-file/target.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import type { Route } from '../../service/call.ts';
import { type Action, transitions } from '../../service/lifecycle.ts';
import { rejections } from '../../service/rejection.ts';

const ACTIONS = Object.keys(transitions) as Action[];
const isAction = ({ name }: Route) => ACTIONS.some((action) => action === name);

/** One route that performs the action named by a member of its body. */
function oneDoor(
  base: readonly Route[],
  method: string,
  path: string,
  read: (body: Record<string, unknown>) => string,
) {
  const perform: Route['perform'] = (call) => {
    const { id = call.request.params.id, action: _, status: __, ...body } = call.body;
    const route = base.find((each) => isAction(each) && each.name === read(call.body));
    if (!route) throw rejections.invalidRequest('no such action');
    return route.perform({ ...call, body, route, request: { ...call.request, params: { id: String(id) } } });
  };
  const door: Route = { name: 'act', method, path, scope: 'write', perform };
  return [...base.filter((route) => !isAction(route)), door];
}

/** Binds every action to another request and keeps the fields of its body. */
function binding(
  target: BoundTargetInput,
  place: (action: Action) => {
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    path: string;
    body?: Record<string, string>;
  },
): BoundTargetInput {
  const offered = ACTIONS.filter((action) => target.operations?.[action]);
  const bound = offered.map((action) => {
    const { body, ...held } = target.operations?.[action] ?? {};
    const { body: added, ...at } = place(action);
    const whole = { ...(body as Record<string, string> | undefined), ...added };
    return [action, { ...held, ...at, ...(Object.keys(whole).length > 0 && { body: whole }) }];
  });
  return { ...target, operations: { ...target.operations, ...Object.fromEntries(bound) } };
}

const RESULTS: Readonly<Record<Action, string>> = {
  submit: 'SUBMITTED',
  delete: 'DELETED',
  approve: 'APPROVED',
  dispute: 'DISPUTED',
  cancel: 'CANCELLED',
  settle: 'SETTLED',
  resolve: 'RESOLVED',
};
const actionTo = (status: unknown) => ACTIONS.find((action) => RESULTS[action] === status) ?? '';

export const requestLocationVariations: readonly Variation[] = [
  {
    id: 'actions-by-status-patch',
    openPoint: 'OP-47',
    choice: 'PATCH of the status',
    routes: (base) => oneDoor(base, 'PATCH', '/api/v1/invoices/:id', ({ status }) => actionTo(status)),
    target: (target) =>
      binding(target, (action) => ({
        method: 'PATCH',
        path: '/api/v1/invoices/{id}',
        body: { status: RESULTS[action] },
      })),
  },
  {
    id: 'actions-by-body',
    openPoint: 'OP-47',
    choice: 'one resource for commands, with the id in the body',
    routes: (base) => oneDoor(base, 'POST', '/api/v1/commands', ({ action }) => String(action)),
    target: (target) =>
      binding(target, (action) => ({ method: 'POST', path: '/api/v1/commands', body: { id: '{id}', action } })),
  },
  {
    id: 'actions-by-put',
    openPoint: 'OP-47',
    choice: 'PUT below /actions',
    routes: (base) =>
      base.map((route) =>
        isAction(route) ? { ...route, method: 'PUT', path: `/api/v1/invoices/:id/actions/${route.name}` } : route,
      ),
    target: (target) =>
      binding(target, (action) => ({ method: 'PUT', path: `/api/v1/invoices/{id}/actions/${action}` })),
  },
  {
    id: 'base-url-with-prefix',
    openPoint: 'OP-01',
    choice: 'a prefix, /tenants/acme',
    routes: (base) => base.map((route) => ({ ...route, path: `/tenants/acme${route.path}` })),
    target: (target) => ({ ...target, baseUrl: `${target.baseUrl}/tenants/acme/` }),
  },
  {
    id: 'balance-by-get',
    openPoint: 'OP-103',
    choice: 'yes',
    target: (target) => ({
      ...target,
      operations: { ...target.operations, treasuryBalance: { method: 'GET', path: '/api/v1/treasury/balance' } },
    }),
  },
  {
    id: 'no-read-operation',
    openPoint: 'OP-45',
    choice: 'no such operation',
    routes: (base) => base.filter(({ name }) => name !== 'read'),
    target: (target) => {
      const { read: _, ...operations } = target.operations ?? {};
      return { ...target, operations };
    },
  },
  {
    id: 'no-treasury-bound',
    openPoint: 'OP-03',
    choice: 'no treasury operation that a target file could bind',
    target: (target) => {
      const { treasuryBalance: _, treasuryWithdraw: __, ...operations } = target.operations ?? {};
      return { ...target, operations };
    },
  },
  {
    id: 'seller-and-buyer-only',
    openPoint: 'OP-04',
    choice: 'only the keys of one seller and one buyer, without their organizations',
    target: (target) => {
      const { seller, buyer } = target.actors;
      return {
        ...target,
        actors: {
          ...(seller && { seller: { key: seller.key, secret: seller.secret } }),
          ...(buyer && { buyer: { key: buyer.key, secret: buyer.secret } }),
        },
        counterparties: {},
        allow: { reset: false },
      };
    },
  },
];

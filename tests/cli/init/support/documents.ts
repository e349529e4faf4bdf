import type { OperationTemplate } from '../../../../specs/target-file/target.ts';

/** A property of a JSON body, as in an OpenAPI document. */
type Properties = Record<string, object>;

const json = (schema: object) => ({ content: { 'application/json': { schema } } });

/** A JSON body with these properties, of which all in `required` are required. */
export function body(properties: Properties, required: readonly string[] = []): object {
  return { requestBody: json({ type: 'object', properties, required }) };
}

export const text = { type: 'string' };

/** An OpenAPI document whose paths are these. */
export function openApi(paths: Record<string, unknown>, more: object = {}): Record<string, unknown> {
  return { openapi: '3.1.0', info: { title: 'Service', version: '1' }, paths, ...more };
}

/** The document of a service whose operations all have the usual paths, with the bindings that it describes. */
export function usualDocument(): { document: object; bindings: Record<string, OperationTemplate> } {
  const action = (more: object = {}) => ({ post: more });
  const document = openApi({
    '/api/v1/invoices': { get: {}, post: {} },
    '/api/v1/invoices/{invoiceId}': { get: { operationId: 'getInvoice' }, delete: {} },
    '/api/v1/invoices/{invoiceId}/submit': action(body({ requestId: text })),
    '/api/v1/invoices/{invoiceId}/approve': action(),
    '/api/v1/invoices/{invoiceId}/dispute': action(body({ reason: text }, ['reason'])),
    '/api/v1/invoices/{invoiceId}/cancel': action(),
    '/api/v1/invoices/{invoiceId}/settle': action(),
    '/api/v1/invoices/{invoiceId}/resolve': action(body({ note: text }, ['note'])),
    '/api/v1/treasury/balance': { get: {} },
    '/api/v1/treasury/withdraw': action(body({ amount: text, requestId: text }, ['amount'])),
    '/api/v1/settings/webhooks': { get: {}, post: {} },
    '/api/v1/settings/webhooks/{webhookId}': { delete: {} },
  });
  const invoice = '/api/v1/invoices/{id}';
  return {
    document,
    bindings: {
      read: { method: 'GET', path: invoice },
      submit: { method: 'POST', path: `${invoice}/submit`, body: { requestId: '{requestId}' } },
      approve: { method: 'POST', path: `${invoice}/approve` },
      dispute: { method: 'POST', path: `${invoice}/dispute`, body: { reason: '{text}' } },
      cancel: { method: 'POST', path: `${invoice}/cancel` },
      settle: { method: 'POST', path: `${invoice}/settle` },
      delete: { method: 'DELETE', path: invoice },
      resolve: { method: 'POST', path: `${invoice}/resolve`, body: { note: '{text}' } },
      treasuryBalance: { method: 'GET', path: '/api/v1/treasury/balance' },
      treasuryWithdraw: {
        method: 'POST',
        path: '/api/v1/treasury/withdraw',
        body: { amount: '{amount}', requestId: '{requestId}' },
      },
      webhookList: { method: 'GET', path: '/api/v1/settings/webhooks' },
      webhookDelete: { method: 'DELETE', path: '/api/v1/settings/webhooks/{id}' },
    },
  };
}

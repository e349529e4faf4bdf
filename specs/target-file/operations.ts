import { z } from 'zod';

/** Written in place of a binding for an operation that the service does not offer. */
export const NOT_OFFERED = 'not-offered';

const path = z.string().regex(/^\/[^\s#]*$/, 'must begin with / and contain no space or #');

export const operation = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).describe('The HTTP method of the operation.'),
  path: path.meta({
    description:
      'Path below `baseUrl`, with a query if the operation needs one. `{id}` stands for the id of the invoice or subscription; the path can also contain `{text}`, `{amount}` and `{requestId}`.',
    examples: ['/api/v1/invoices/{id}/approve'],
  }),
  actor: z
    .enum(['seller', 'buyer'])
    .optional()
    .describe(
      'The party that the kit tries first. Without it, the kit starts with the usual party. If the server rejects one party, the kit tries the other one.',
    ),
  body: z
    .record(z.string(), z.json())
    .optional()
    .meta({
      description:
        'A mapping that the kit sends as JSON. The kit replaces `{id}`, `{text}`, `{amount}` and `{requestId}` in its texts. Without it, the request has no body, except for the `requestId` that the kit adds.',
      examples: [{ reason: '{text}' }, { status: 'APPROVED' }],
    }),
});

export const withdrawal = operation.extend({
  simulated: z
    .boolean()
    .optional()
    .describe(
      'For `treasuryWithdraw` only: whether the sandbox accepts withdrawals without changing a balance. If true, the checks that compare balances after withdrawals are not applicable.',
    ),
});

const operationOnId = operation.refine(
  ({ path: template, body }) => template.includes('{id}') || (JSON.stringify(body) ?? '').includes('{id}'),
  'contains {id} neither in the path nor in the body; write {id} in place of the id of the record',
);

function orNotOffered<T extends z.ZodType>(template: T, description: string, example: z.input<T>) {
  return z
    .union([template, z.literal(NOT_OFFERED)])
    .optional()
    .meta({ description, examples: [example] });
}

export const operations = z
  .strictObject({
    read: orNotOffered(
      operationOnId,
      'Reads one invoice. Usual actor: `seller`. Without it, the checks that read single invoices are blocked; others take invoices from lists.',
      { method: 'GET', path: '/api/v1/invoices/{id}' },
    ),
    submit: orNotOffered(
      operationOnId,
      'Submits a DRAFT invoice to its buyer. Usual actor: `seller`. Without it, the checks that need a submitted invoice are blocked.',
      { method: 'POST', path: '/api/v1/invoices/{id}/submit' },
    ),
    approve: orNotOffered(
      operationOnId,
      'Approves a SUBMITTED invoice. Usual actor: `buyer`. Without it, the checks that need an approved invoice are blocked.',
      { method: 'POST', path: '/api/v1/invoices/{id}/approve' },
    ),
    dispute: orNotOffered(
      operationOnId,
      'Disputes a SUBMITTED invoice. Usual actor: `buyer`. Without it, the checks that need a disputed invoice are blocked.',
      { method: 'POST', path: '/api/v1/invoices/{id}/dispute', body: { reason: '{text}' } },
    ),
    cancel: orNotOffered(
      operationOnId,
      'Cancels a SUBMITTED invoice. Usual actor: `seller`. Without it, the checks of Cancel are blocked.',
      { method: 'POST', path: '/api/v1/invoices/{id}/cancel' },
    ),
    settle: orNotOffered(
      operationOnId,
      'Settles an APPROVED invoice, which moves money. Usual actor: `buyer`. Without it, the checks of Settle and of the events of a payment are blocked.',
      { method: 'POST', path: '/api/v1/invoices/{id}/settle' },
    ),
    delete: orNotOffered(
      operationOnId,
      'Deletes a DRAFT invoice. Usual actor: `seller`. Without it, the checks of Delete are blocked, and the kit cannot remove the drafts that it creates.',
      { method: 'DELETE', path: '/api/v1/invoices/{id}' },
    ),
    resolve: orNotOffered(
      operationOnId,
      'Resolves a DISPUTED invoice. Usual actor: `seller`. Without it, the checks of Resolve are blocked.',
      { method: 'POST', path: '/api/v1/invoices/{id}/resolve', body: { note: '{text}' } },
    ),
    treasuryBalance: orNotOffered(
      operation,
      'Reads the balance. Usual actor: `seller`. Without it, the checks that compare balances are blocked.',
      { method: 'GET', path: '/api/v1/treasury/balance' },
    ),
    treasuryWithdraw: orNotOffered(
      withdrawal,
      'Withdraws `{amount}` from the balance. Usual actor: `seller`. Without it, the checks of withdrawals are blocked.',
      {
        method: 'POST',
        path: '/api/v1/treasury/withdraw',
        body: { amount: '{amount}', requestId: '{requestId}' },
      },
    ),
    webhookList: orNotOffered(
      operation,
      'Lists the webhook subscriptions, so that the clean-up finds those of earlier runs and those that were created without an id in the response. It is not judged. Usual actor: the subscriber.',
      { method: 'GET', path: '/api/v1/settings/webhooks' },
    ),
    webhookDelete: orNotOffered(
      operationOnId,
      'Removes the webhook subscription `{id}` during clean-up. It is not judged. Usual actor: the subscriber. Without it, subscriptions remain on the server.',
      { method: 'DELETE', path: '/api/v1/settings/webhooks/{id}' },
    ),
  })
  .default({})
  .meta({
    description:
      'The requests of the operations that the contract names without method and path. Without a binding, the checks of the operation are blocked. Write `not-offered` if the service has no such operation; its checks are then not applicable.',
    examples: [{ read: { method: 'GET', path: '/api/v1/invoices/{id}' }, treasuryWithdraw: NOT_OFFERED }],
  });

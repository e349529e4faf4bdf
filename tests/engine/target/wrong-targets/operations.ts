import { more, operation, type Row } from './content.ts';

/** Operations with wrong bindings: the file, and every line of the message. */
export const WRONG_OPERATIONS: readonly Row[] = [
  [
    operation('approve', '{ method: post, path: "/x/{id}" }'),
    '5: operations.approve.method: found "post"; write GET, POST, PUT, PATCH or DELETE',
  ],
  [
    operation('approve', '{ method: POST, path: "x/{id}" }'),
    '5: operations.approve.path: found "x/{id}"; write a path that starts with / and contains no space or #, such as "/api/v1/invoices/{id}/approve"',
  ],
  [
    operation('approve', '{ method: POST, path: /x }'),
    '5: operations.approve: contains {id} neither in the path nor in the body; write {id} in place of the id of the record',
  ],
  [
    operation('approve', 'not offered'),
    '5: operations.approve: found "not offered"; write { method: POST, path: "/api/v1/…" }, or not-offered',
  ],
  [
    operation('approve', 'false'),
    '5: operations.approve: found false; write { method: POST, path: "/api/v1/…" }, or not-offered',
  ],
  [
    operation('approve', 'POST /x/{id}'),
    '5: operations.approve: found "POST /x/{id}"; write { method: POST, path: "/api/v1/…" }, or not-offered',
  ],
  [
    operation('approve', '{ method: POST }'),
    '5: operations.approve.path: missing; write a path that starts with / and contains no space or #, such as "/api/v1/invoices/{id}/approve"',
  ],
  [
    operation('approve', '{ method: POST, path: "/x/{id}", actor: outsider }'),
    '5: operations.approve.actor: found "outsider"; write seller or buyer',
  ],
  [
    operation('approve', '[POST, "/x/{id}"]'),
    '5: operations.approve: found a list; write { method: POST, path: "/api/v1/…" }, or not-offered',
  ],
  [
    operation('approve', ''),
    '5: operations.approve: found no value; write { method: POST, path: "/api/v1/…" }, or not-offered',
  ],
  [
    operation('approve', '{ method: POST, path: "/x/{id}", body: { a: .inf } }'),
    '5: operations.approve.body.a: found Infinity; write any JSON',
  ],
  [
    more('operations: [approve]'),
    '4: operations: found a list; write { read: { method: GET, path: "/api/v1/invoices/{id}" } }, and further operations',
  ],
  [
    operation('approve', '{ method: POST, path: "/x/{foo}/{id}" }'),
    '5: operations.approve.path: unknown placeholder {foo}; the placeholders are {id} {text} {amount} {requestId}',
  ],
  [
    operation('approve', '{ method: POST, path: "/x/{ID}" }'),
    '5: operations.approve.path: unknown placeholder {ID}; did you mean {id}? The placeholders are {id} {text} {amount} {requestId}',
  ],
  [
    operation('approve', '{ method: POST, path: "/x/{invoiceId}" }'),
    '5: operations.approve.path: unknown placeholder {invoiceId}; did you mean {id}? The placeholders are {id} {text} {amount} {requestId}',
  ],
  [
    operation('approve', '{ method: POST, path: "/x/:id/approve" }'),
    '5: operations.approve.path: unknown placeholder :id; did you mean {id}? The placeholders are {id} {text} {amount} {requestId}',
  ],
  [
    operation('approve', '{ method: POST, path: "/x/<id>" }'),
    '5: operations.approve.path: unknown placeholder <id>; did you mean {id}? The placeholders are {id} {text} {amount} {requestId}',
  ],
  [
    operation('approve', '{ method: POST, path: "/x/{{id}}" }'),
    '5: operations.approve.path: contains a brace that is not part of a placeholder; the placeholders are {id} {text} {amount} {requestId}',
  ],
  [
    operation('approve', '{ method: POST, path: "/x/{id" }'),
    '5: operations.approve.path: contains a brace that is not part of a placeholder; the placeholders are {id} {text} {amount} {requestId}',
  ],
  [
    operation(
      'approve',
      '{ method: POST, path: "/x/{id}", body: { note: "{nota}", r: ["{request_id}"], ok: "{", j: "{\\"a\\": 1}" } }',
    ),
    '5: operations.approve.body.note: unknown placeholder {nota}; the placeholders are {id} {text} {amount} {requestId}',
    '5: operations.approve.body.r.0: unknown placeholder {request_id}; did you mean {requestId}? The placeholders are {id} {text} {amount} {requestId}',
  ],
  [
    operation('approve', '{ method: POST, path: "/x", body: { invoice: {id} } }'),
    '5: operations.approve.body.invoice: found {id} without quotes, which YAML reads as a mapping; write "{id}"',
  ],
  [
    operation('treasuryBalance', '{ method: GET, path: "/t/{id}" }'),
    '5: operations.treasuryBalance.path: contains {id}, but treasuryBalance does not concern a single record; remove it',
  ],
  ...['1{amount}', '{amount}0', '-{amount}', '{amount}e3', '{amount}.5'].map((text): [string, string] => [
    operation('treasuryWithdraw', `{ method: POST, path: "/t", body: { a: "${text}" } }`),
    `5: operations.treasuryWithdraw.body.a: found "${text}", which sends an amount other than the one that the kit chooses; write "{amount}"`,
  ]),
  [
    operation('treasuryWithdraw', '{ method: POST, path: "/t", body: { a: "{sum}" } }'),
    '5: operations.treasuryWithdraw.body.a: unknown placeholder {sum}; the placeholders are {text} {amount} {requestId}',
  ],
  ...['\'{"reason": "x"}\'', '7', '[{ op: replace }]', ''].map((body): Row => {
    const found = body.startsWith("'") ? '"{\\"reason\\": \\"x\\"}"' : body.replace(/^\[.*/, 'a list') || 'no value';
    return [
      operation('dispute', `\n    method: POST\n    path: "/x/{id}"\n    body: ${body}`),
      `8: operations.dispute.body: found ${found}; write a mapping, such as { reason: "{text}" }`,
    ];
  }),
  [
    operation('submit', '{ method: POST, path: "/x/{id}", body: { requestId: fixed-1 } }'),
    '5: operations.submit.body.requestId: found a fixed value, which makes every request a replay of the first; write {requestId}, or remove it',
  ],
  [
    operation('approve', '{ method: POST, path: "/x/{id}", body: { meta: { requestId: 7 } } }'),
    '5: operations.approve.body.meta.requestId: found a fixed value, which makes every request a replay of the first; write {requestId}, or remove it',
  ],
  ...['"sub-{requestId}"', '"{id}"'].map((value): [string, string] => [
    operation('submit', `{ method: POST, path: "/x/{id}", body: { requestId: ${value} } }`),
    '5: operations.submit.body.requestId: found a text other than {requestId}; write "{requestId}" alone, because the kit omits it in some requests',
  ]),
  [
    operation('submit', '{ method: POST, path: "/x/{id}", body: { idempotencyKey: "{requestId}" } }'),
    '5: operations.submit.body.idempotencyKey: contains {requestId}, but the contract names this field requestId; write requestId: "{requestId}"',
  ],
  [
    operation('approve', '{ method: POST, path: "/x/{id}", body: { invoiceId: "0d9abf78" } }'),
    '5: operations.approve.body.invoiceId: found a fixed id, so every request would name the same invoice; write {id}',
  ],
  [
    operation('treasuryWithdraw', '{ method: POST, path: "/w?a={amount}&requestId=w-1" }'),
    '5: operations.treasuryWithdraw.path: the requestId in the path is a fixed value, which makes every request a replay of the first; write {requestId}, or remove it',
  ],
  [
    operation('treasuryBalance', '{ method: POST, path: /t/withdraw, body: { amount: "1.00" } }'),
    '5: operations.treasuryBalance.path: found a POST to a path that ends in withdraw, so every request for the balance would make a withdrawal; write the path of the balance',
  ],
  [
    operation('treasuryBalance', '{ method: PUT, path: "/t/Withdrawals/{requestId}/?a=b" }'),
    '5: operations.treasuryBalance.path: found a PUT to a path that ends in Withdrawals, so every request for the balance would make a withdrawal; write the path of the balance',
  ],
  [
    `${operation('treasuryBalance', '{ method: POST, path: /t, body: { sum: "{amount}" } }')}  treasuryWithdraw: { method: POST, path: /t, body: { sum: "{amount}" } }\n`,
    '5: operations.treasuryBalance: is the same request as operations.treasuryWithdraw; correct method, path or body of one of the two',
  ],
  [
    operation('approve', '{ method: POST, path: "/x/{id} " }'),
    '5: operations.approve.path: found "/x/{id} "; write a path that starts with / and contains no space or #, such as "/api/v1/invoices/{id}/approve"',
  ],
];

import { actor, BASE, more, type Row, SECRET, SELLER, withUrl } from './content.ts';

/** Invalid values of fields: the file, and every line of the message. */
export const WRONG_VALUES: readonly Row[] = [
  [
    `${BASE}\n`,
    '1: actors: missing; write { seller: { key: ${SELLER_KEY}, secret: ${SELLER_SECRET} } }, and further actors',
  ],
  [
    `${BASE}\nactors:\n`,
    '2: actors: found no value; write { seller: { key: ${SELLER_KEY}, secret: ${SELLER_SECRET} } }, and further actors',
  ],
  [
    `${BASE}\nactors: []\n`,
    '2: actors: found a list; write { seller: { key: ${SELLER_KEY}, secret: ${SELLER_SECRET} } }, and further actors',
  ],
  [
    `${BASE}\nactors: {}\n`,
    '2: actors: contains neither seller nor buyer; write one of them: { key: ${SELLER_KEY}, secret: ${SELLER_SECRET} }',
  ],
  [
    `${BASE}\nactors: seller\n`,
    '2: actors: found a text (not shown); write { seller: { key: ${SELLER_KEY}, secret: ${SELLER_SECRET} } }, and further actors',
  ],
  [
    `actors:\n${SELLER}\n`,
    '1: baseUrl: missing; write an absolute http or https URL, such as https://staging.example.com',
  ],
  [
    `${BASE}\nactors:\n${SELLER}\n  revoked: { key: made-up, secret: anything }\n`,
    '4: actors.revoked.key: starts with neither svc_sand_ nor svc_prod_, so no service of this contract has issued it; write a key that was accepted once and then revoked, or remove the actor',
  ],
  [actor('{ key: 123, secret: x }'), '3: actors.seller.key: found a number; put it in quotes'],
  [
    actor('{ key: 0123, secret: 1e5 }'),
    '3: actors.seller.key: found a number; put it in quotes',
    '3: actors.seller.secret: found a number; put it in quotes',
  ],
  [
    actor('{ key: true, secret: null }'),
    '3: actors.seller.key: found a boolean; put it in quotes',
    '3: actors.seller.secret: found no value; write ${NAME} for an environment variable, or printable ASCII without leading or trailing spaces',
  ],
  [
    actor('{ key: , secret: 2024-01-01 }'),
    '3: actors.seller.key: found no value; write ${NAME} for an environment variable, or printable ASCII without leading or trailing spaces',
  ],
  [actor('[a, b]'), '3: actors.seller: found a list; write { key: ${SOME_KEY}, secret: ${SOME_SECRET} }'],
  [
    actor('{ key: a }'),
    '3: actors.seller.secret: missing; write ${NAME} for an environment variable, or printable ASCII without leading or trailing spaces',
  ],
  [actor(''), '3: actors.seller: found no value; write { key: ${SOME_KEY}, secret: ${SOME_SECRET} }'],
  [
    actor('{ key: a, secret: b, organizationId: 00123 }'),
    '3: actors.seller.organizationId: found a number; put it in quotes',
  ],
  [
    actor('{ key: "a ", secret: "b\\n" }'),
    '3: actors.seller.key: found a text with a leading or trailing space (not shown); write ${NAME} for an environment variable, or printable ASCII without leading or trailing spaces',
    '3: actors.seller.secret: found a text with a line break (not shown); write ${NAME} for an environment variable, or printable ASCII without leading or trailing spaces',
  ],
  [
    actor('{ key: "ü", secret: "" }'),
    '3: actors.seller.key: found a text with a character that is not printable ASCII (not shown); write ${NAME} for an environment variable, or printable ASCII without leading or trailing spaces',
    '3: actors.seller.secret: found an empty text; write ${NAME} for an environment variable, or printable ASCII without leading or trailing spaces',
  ],
  [
    withUrl('api.example.com'),
    '1: baseUrl: found "api.example.com"; write an absolute http or https URL, such as https://staging.example.com',
  ],
  [
    withUrl('localhost:8080'),
    '1: baseUrl: found "localhost:8080"; write an absolute http or https URL, such as https://staging.example.com',
  ],
  [
    withUrl('ftp://a.example'),
    '1: baseUrl: found "ftp://a.example"; write an absolute http or https URL, such as https://staging.example.com',
  ],
  [
    withUrl('"https://a.example/?x=1"'),
    '1: baseUrl: contains a query (from ? on); write the URL without it',
    '3: actors.seller.secret: found a literal secret, which is accepted only for loopback targets; write ${SOME_NAME} and set that variable',
  ],
  [
    withUrl('"http://127.0.0.1/?a=1#x"'),
    '1: baseUrl: contains a query (from ? on) and a fragment (from # on); write the URL without it',
  ],
  [withUrl('http://127.0.0.1#x'), '1: baseUrl: contains a fragment (from # on); write the URL without it'],
  [
    withUrl('127.0.0.1:80'),
    '1: baseUrl: found "127.0.0.1:80"; write an absolute http or https URL, such as https://staging.example.com',
  ],
  [withUrl('5'), '1: baseUrl: found 5; write an absolute http or https URL, such as https://staging.example.com'],
  [withUrl(''), '1: baseUrl: found no value; write an absolute http or https URL, such as https://staging.example.com'],
  [
    withUrl('[http://127.0.0.1]'),
    '1: baseUrl: found a list; write an absolute http or https URL, such as https://staging.example.com',
  ],
  [
    withUrl('http:/a.example'),
    '1: baseUrl: found "http:/a.example"; write an absolute http or https URL, such as https://staging.example.com',
  ],
  [
    withUrl('"https://a b"'),
    '1: baseUrl: found "https://a b"; write an absolute http or https URL, such as https://staging.example.com',
  ],
  [
    withUrl('https://'),
    '1: baseUrl: found "https://"; write an absolute http or https URL, such as https://staging.example.com',
  ],
  [
    withUrl('${GIVEN}'),
    '1: baseUrl: found a text (from ${GIVEN}, not shown); correct the value of GIVEN: an absolute http or https URL, such as https://staging.example.com',
  ],
  [withUrl(`http://u:${SECRET}@127.0.0.1`), '1: baseUrl: contains a user or a password; write the URL without it'],
  [
    withUrl(SECRET),
    '1: baseUrl: found a text (not shown); write an absolute http or https URL, such as https://staging.example.com',
  ],
  [
    withUrl('http://127.0.0.1:99999'),
    '1: baseUrl: found "http://127.0.0.1:99999"; port 99999 is above 65535; write an absolute http or https URL, such as https://staging.example.com',
  ],
  [
    more('limits: { settleWithinMs: "5s" }'),
    '4: limits.settleWithinMs: found "5s"; write milliseconds, a whole number from 0 to 600000, such as 5000',
  ],
  [
    more('limits: { settleWithinMs: "5000" }'),
    '4: limits.settleWithinMs: found "5000"; write milliseconds, a whole number from 0 to 600000, such as 5000, without quotes',
  ],
  [
    more('limits: { settleWithinMs: 5s }'),
    '4: limits.settleWithinMs: found "5s"; write milliseconds, a whole number from 0 to 600000, such as 5000',
  ],
  [
    more('limits: { concurrency: "${GIVEN}" }'),
    '4: limits.concurrency: found a text (from ${GIVEN}, not shown); write a whole number from 1 to 256, in place of ${GIVEN}: a reference is always a text',
  ],
  [more('limits: { concurrency: 0 }'), '4: limits.concurrency: found 0; write a whole number from 1 to 256'],
  [more('limits: { concurrency: 1.5 }'), '4: limits.concurrency: found 1.5; write a whole number from 1 to 256'],
  [more('limits: { requestsPerSecond: -1 }'), '4: limits.requestsPerSecond: found -1; write a number above 0, or none'],
  [
    more('limits: { requestsPerSecond: many }'),
    '4: limits.requestsPerSecond: found "many"; write a number above 0, or none',
  ],
  [
    more('limits: { requestsPerSecond: "5" }'),
    '4: limits.requestsPerSecond: found "5"; write a number above 0, or none, without quotes',
  ],
  [
    more('limits: { withdrawAtMost: 1000.00 }'),
    '4: limits.withdrawAtMost: found 1000; write an amount with two decimal places, in quotes, such as "1000.00"',
  ],
  [
    more('limits: { withdrawAtMost: "1000" }'),
    '4: limits.withdrawAtMost: found "1000"; write an amount with two decimal places, in quotes, such as "1000.00"',
  ],
  [more('limits: 5'), '4: limits: found 5; write { concurrency: 16 }, and further limits'],
  [more('limits:'), '4: limits: found no value; write { concurrency: 16 }, and further limits, or remove the line'],
  [
    more('limits: { deadlineMs: 5m }'),
    '4: limits.deadlineMs: found "5m"; write milliseconds, a whole number from 1000 to 86400000, or none',
  ],
  [more('allow: true'), '4: allow: found true; write { reset: false, rateLimitProbe: false, productionWrites: false }'],
  [more('allow: { reset: yes }'), '4: allow.reset: found "yes"; write true or false'],
  [more('allow: { reset: "yes" }'), '4: allow.reset: found "yes"; write true or false'],
  [
    more('allow: { reset: on, rateLimitProbe: 1 }'),
    '4: allow.reset: found "on"; write true or false',
    '4: allow.rateLimitProbe: found 1; write true or false',
  ],
  [
    more('allow: [reset]'),
    '4: allow: found a list; write { reset: false, rateLimitProbe: false, productionWrites: false }',
  ],
  [
    more('allow:'),
    '4: allow: found no value; write { reset: false, rateLimitProbe: false, productionWrites: false }, or remove the line',
  ],
  [more('headers: { "X Y": a }'), '4: headers.X Y: is not a valid header name; use only letters, digits and -'],
  [more('headers: { X-Y: 5 }'), '4: headers.X-Y: found a number; put it in quotes'],
  [more('headers: [a]'), '4: headers: found a list; write { Header-Name: ${NAME} }'],
  [more('proxy: ftp://x'), '4: proxy: found "ftp://x"; write environment, none, or the http or https URL of a proxy'],
  [more('proxy: yes'), '4: proxy: found "yes"; write environment, none, or the http or https URL of a proxy'],
  [more('tls: { certificate: a }'), '4: tls: contains only one of certificate and key; write both or neither'],
  [
    more('tls: authority.pem'),
    '4: tls: found a text (not shown); write { ca: authority.pem, certificate: client.pem, key: client.key, passphrase: ${NAME} }, or some of these',
  ],
  [
    more('webhooks: { listen: 8080 }'),
    '4: webhooks.listen: found 8080; write an address and a port, such as 127.0.0.1:0',
  ],
  [
    more('webhooks: { listen: localhost, publicUrl: foo }'),
    '4: webhooks.listen: found "localhost"; write an address and a port, such as 127.0.0.1:0',
    '4: webhooks.publicUrl: found "foo"; write the http or https URL at which the server reaches webhooks.listen',
  ],
  [more('counterparties: { unconnected: 5 }'), '4: counterparties.unconnected: found a number; put it in quotes'],
  [
    more('counterparties: [a]'),
    '4: counterparties: found a list; write { unconnected: "<organization id>", suspended: "<organization id>" }',
  ],
  [more('name: 5'), '4: name: found 5; put it in quotes'],
  [more('name: ""'), '4: name: found an empty text; write a non-empty text'],
  [
    more('implementation: x'),
    '4: implementation: found a text (not shown); write { vendor: …, product: …, version: "…" }',
  ],
  [more('implementation: { version: 1.0 }'), '4: implementation.version: found a number; put it in quotes'],
  [more('implementation: { vendor: [x] }'), '4: implementation.vendor: found a list; write a text in quotes'],
  [
    '{\n "baseUrl": "x",\n "actors": {},\n}',
    '2: baseUrl: found "x"; write an absolute http or https URL, such as https://staging.example.com',
    '3: actors: contains neither seller nor buyer; write one of them: { key: ${SELLER_KEY}, secret: ${SELLER_SECRET} }',
  ],
  [
    more('webhooks: { listen: "127.0.0.1:99999" }'),
    '4: webhooks.listen: has a port above 65535; write a port from 0 (any free port) to 65535',
  ],
  [
    more('webhooks: { publicUrl: "localhost:80" }'),
    '4: webhooks.publicUrl: found "localhost:80"; write the http or https URL at which the server reaches webhooks.listen',
  ],
  [
    actor('{ key: a, secret: b, organizationId: " o" }'),
    '3: actors.seller.organizationId: found a text with a leading or trailing space (not shown); write the id of the organization, in quotes and without leading or trailing spaces',
  ],
  [
    more('counterparties: { suspended: " " }'),
    '4: counterparties.suspended: found a text with a leading or trailing space (not shown); write the id of the organization, in quotes and without leading or trailing spaces',
  ],
  [
    more('name: ${EMPTY}\nheaders: { Accept: x }\ncounterparties: { unconnected: a, suspended: a }'),
    '4: name: the environment variable EMPTY is empty; give it a value',
    '6: counterparties.suspended: is the same as counterparties.unconnected; write the id of an organization with a connection that is not active, or remove this field',
  ],
  [
    more('headers: { Accept: x }\ncounterparties: { unconnected: a, suspended: a }'),
    '4: headers.Accept: the kit sets this header itself; remove it',
    '5: counterparties.suspended: is the same as counterparties.unconnected; write the id of an organization with a connection that is not active, or remove this field',
  ],
];

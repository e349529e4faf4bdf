import { expect, test } from 'vitest';
import { gatewayBodyHint } from '../../../engine/diagnosis/gateway-body.ts';
import { received } from '../support/responses.ts';

const NGINX = '<html><head><title>413</title></head><body><hr><center>nginx/1.27</center></body></html>';
const html = [['content-type', 'text/html']] as const;

test.each([
  ['a page of nginx', received({ status: 413, text: NGINX, headers: html }), 'nginx'],
  ['a page of Apache', received({ status: 404, text: '<address>Apache/2.4 Server</address>' }), 'Apache'],
  ['a text of Envoy', received({ status: 503, text: 'upstream connect error or disconnect' }), 'Envoy'],
  ['a text of a router', received({ status: 404, text: '404 page not found\n' }), 'a router in Go, such as Traefik'],
  ['any other web page', received({ status: 502, text: '<!doctype html><h1>Oops</h1>', headers: html }), 'a web page'],
  [
    'a message alone',
    received({ status: 401, json: { message: 'Unauthorized' } }),
    'an API gateway, with a message alone',
  ],
  [
    'a message with a status',
    received({ status: 401, json: { statusCode: 401, message: 'no' } }),
    'an API gateway, with a message alone',
  ],
  ['a fault', received({ status: 403, json: { fault: { faultstring: 'no' } } }), 'an API gateway, with a fault'],
])('%s is that of a layer in front', (_, response, product) => {
  expect(gatewayBodyHint(response)).toBe(
    `a layer in front of the service seems to have written this response (the body is that of ${product})`,
  );
});

test.each([
  ['the error body of the contract', received({ status: 401, json: { error: 'Unauthorized', message: 'no' } })],
  ['a code without an error', received({ status: 404, json: { code: 'INV001' } })],
  ['a message with members of its own', received({ status: 400, json: { message: 'no', path: '/x' } })],
  ['an empty body', received({ status: 404 })],
  ['a success', received({ json: { message: 'Created' } })],
])('%s is not', (_, response) => {
  expect(gatewayBodyHint(response)).toBeNull();
});

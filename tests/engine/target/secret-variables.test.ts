import { expect, test } from 'vitest';
import { secretVariables } from '../../../engine/target/secret-variables.ts';

test('a key, secret or header that is one reference is named by its mask', () => {
  const content = {
    baseUrl: '${BASE}',
    actors: {
      seller: { key: '${SELLER_KEY}', secret: '${SELLER_SECRET}', organizationId: '${SELLER_ORG}' },
      readOnly: { key: '${RO_KEY}', secret: 'literal' },
    },
    headers: { 'X-Gateway-Token': '${GATEWAY_TOKEN}', Authorization: 'Bearer ${TOKEN}' },
  };
  expect(secretVariables(content)).toEqual({
    'seller.key': 'SELLER_KEY',
    'seller.secret': 'SELLER_SECRET',
    'readOnly.key': 'RO_KEY',
    'headers.X-Gateway-Token': 'GATEWAY_TOKEN',
  });
});

test.each([[undefined], [null], [{}], [{ actors: null, headers: 3 }], [{ actors: { seller: '${A}' } }], [['a']]])(
  'a file with the content %j names no variable',
  (content) => expect(secretVariables(content)).toEqual({}),
);

import { expect, test } from 'vitest';
import { credentialDoubt, credentialFields } from '../../../engine/preflight/rejected-keys.ts';

test('the fields of a rejected key are named with the variables that hold them', () => {
  const secretVariables = { 'seller.key': 'SELLER_KEY', 'buyer.secret': 'BUYER_SECRET' };
  expect(credentialFields({ secretVariables }, 'seller')).toBe(
    'actors.seller.key (SELLER_KEY) and actors.seller.secret',
  );
  expect(credentialFields({}, 'buyer')).toBe('actors.buyer.key and actors.buyer.secret');
});

test.each([
  ['"s3cr3t"', '; the secret contains quotation marks'],
  ['SELLER_SECRET=s3cr3t', '; the secret begins with the name of a variable'],
  ['Bearer s3cr3t', '; the secret begins with the scheme of an Authorization header'],
  ['<API_SECRET>', '; the secret looks like a placeholder'],
  ['********', '; the secret looks like a placeholder'],
  ['[REDACTED]', '; the secret looks like a placeholder'],
  ['op://vault/seller/secret', '; the secret looks like a reference to a secret store, which the kit does not read'],
  ['vault:secret/seller#secret', '; the secret looks like a reference to a secret store, which the kit does not read'],
  ['ENC[AES256_GCM,data:x]', '; the secret looks like a reference to a secret store, which the kit does not read'],
  ['$SELLER_SECRET', '; the secret looks like a placeholder'],
  ['svc_sand_1', '; the secret is the same as the key'],
  ['two words', '; the secret contains white space'],
  ['k7$Xq"9<z>', ''],
])('of the secret %s, the message says: %s', (secret, doubt) => {
  expect(credentialDoubt({ actors: { seller: { key: 'svc_sand_1', secret } } }, 'seller')).toBe(doubt);
});

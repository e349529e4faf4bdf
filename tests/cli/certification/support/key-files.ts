import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SPKI = { type: 'spki', format: 'pem' } as const;
const PKCS8 = { type: 'pkcs8', format: 'pem' } as const;

/** Writes PEM files: an Ed25519 key pair (encrypted, too), an RSA key pair, and a text. */
export function writeKeyFiles(folder: string): void {
  const ed25519 = generateKeyPairSync('ed25519');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const files = {
    'private.pem': ed25519.privateKey.export(PKCS8),
    'public.pem': ed25519.publicKey.export(SPKI),
    'encrypted.pem': ed25519.privateKey.export({ ...PKCS8, cipher: 'aes-256-cbc', passphrase: 'open sesame' }),
    'rsa-private.pem': rsa.privateKey.export(PKCS8),
    'rsa-public.pem': rsa.publicKey.export(SPKI),
    'text.pem': 'this is no key\n',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

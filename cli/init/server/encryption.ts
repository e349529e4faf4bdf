import { isLoopback } from '../../../engine/target/network/loopback.ts';

export const UNENCRYPTED =
  'is not encrypted, so keys and secrets are sent as plain text; write https:// if the server supports it';

/** Whether the keys travel unencrypted through a network. */
export function isUnencrypted(baseUrl: string): boolean {
  return /^http:/i.test(baseUrl) && !isLoopback(baseUrl);
}

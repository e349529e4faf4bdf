import { isIP } from 'node:net';

/** Whether a base URL points to this machine. */
export function isLoopback(baseUrl: string): boolean {
  return isLoopbackHost(new URL(baseUrl).hostname);
}

/** Whether a host name or address is this machine, with or without the brackets of IPv6. A request to 0.0.0.0 stays on it, too. */
export function isLoopbackHost(name: string): boolean {
  const host = name.replace(/^\[|\]$/g, '');
  return ['localhost', '0.0.0.0', '::1', '::'].includes(host) || (isIP(host) === 4 && host.startsWith('127.'));
}

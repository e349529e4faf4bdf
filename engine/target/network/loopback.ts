import { isIP } from 'node:net';

/** Whether a base URL points to this machine. */
export function isLoopback(baseUrl: string): boolean {
  return isLoopbackHost(new URL(baseUrl).hostname);
}

/** Whether a host name or address is this machine, with or without the brackets of IPv6. */
export function isLoopbackHost(name: string): boolean {
  const host = name.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

import { BlockList, isIP } from 'node:net';
import type { Target } from '../../../specs/target-file/target.ts';
import { ConfigurationError } from '../../model/configuration-error.ts';
import type { HttpProxy } from '../../transport/http-proxy.ts';
import type { EnvironmentVariables } from '../environment-variables.ts';
import { isLoopback } from './loopback.ts';

const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' };

/**
 * Resolves `proxy: environment` from the variables `https_proxy`, `http_proxy` and `no_proxy`, in lower case or in
 * capitals, as curl reads them. Throws a ConfigurationError if a variable holds no proxy URL.
 */
export function resolveProxy(target: Target, environment: EnvironmentVariables): Target {
  if (target.proxy !== 'environment') return target;
  const url = new URL(target.baseUrl);
  const stem = `${url.protocol.slice(0, -1)}_proxy`;
  const name = [stem, stem.toUpperCase()].find((each) => environment[each]);
  const noProxy = environment.no_proxy || environment.NO_PROXY || '';
  if (name === undefined || isLoopback(target.baseUrl) || isProxyBypassed(url, noProxy))
    return { ...target, proxy: 'none' };
  const value = environment[name] ?? '';
  const proxy = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) {
    throw new ConfigurationError(
      `${name}: is not the http or https URL of a proxy; correct the variable, or write proxy: none in the target file`,
    );
  }
  return { ...target, proxy, proxyVariable: name };
}

/** The proxy that requests to the target go through; null for none. */
export function targetProxy({
  proxy,
  proxyVariable,
  baseUrl,
}: Pick<Target, 'proxy' | 'proxyVariable' | 'baseUrl'>): HttpProxy | null {
  if (proxy === 'none' || proxy === 'environment' || isLoopback(baseUrl)) return null;
  const { origin } = new URL(proxy);
  const [user, password] = proxyCredentials(proxy);
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return {
    origin,
    field: proxyVariable === undefined ? 'proxy' : `proxy (${proxyVariable})`,
    ...(user !== '' && { authorization }),
  };
}

/** User and password of a proxy's URL, each empty if the URL has none. */
export function proxyCredentials(proxy: string): [string, string] {
  if (!URL.canParse(proxy)) return ['', ''];
  const { username, password } = new URL(proxy);
  return [decodeURIComponent(username), decodeURIComponent(password)];
}

/** Whether NO_PROXY excludes this URL from the proxy. */
function isProxyBypassed({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const ownPort = port || DEFAULT_PORTS[protocol];
  return noProxy
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, bracketed, plain, entryPort] = /^(?:\[([^\]]+)\]|(.+?))(?::(\d+))?$/.exec(entry) ?? [];
      // Colons without brackets belong to an IPv6 address.
      const [name, wanted] = isIP(entry) ? [entry, undefined] : [bracketed ?? plain ?? entry, entryPort];
      if (wanted !== undefined && wanted !== ownPort) return false;
      if (name.includes('/')) return isInNetwork(host, name);
      const bare = name.replace(/^\*?\./, '');
      return host === bare || (isIP(bare) === 0 && host.endsWith(`.${bare}`));
    });
}

function isInNetwork(host: string, network: string): boolean {
  const [address = '', prefix] = network.split('/');
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(host) === 0 || isIP(host) !== isIP(address)) return false;
  const bits = Number(prefix);
  if (!Number.isInteger(bits) || bits < 0 || bits > (family === 'ipv6' ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(address, bits, family);
  return list.check(host, family);
}

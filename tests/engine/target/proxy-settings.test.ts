import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import { resolveProxy, targetProxy } from '../../../engine/target/network/proxy-settings.ts';
import { networkProblems } from '../../../engine/target/validation/network-problems.ts';
import { targetAt } from '../support/targets.ts';

const HTTPS = 'https://api.sandbox.example.com';

function chosen(environment: Record<string, string>, baseUrl = HTTPS, proxy = 'environment') {
  const found = targetProxy(resolveProxy(targetAt(baseUrl, { proxy }), environment));
  return found && { origin: found.origin, field: found.field };
}

describe('the proxy of the environment', () => {
  test.each([
    ['HTTPS_PROXY', HTTPS],
    ['https_proxy', HTTPS],
    ['HTTP_PROXY', 'http://api.sandbox.example.com'],
    ['http_proxy', 'http://api.sandbox.example.com'],
  ])('is that of %s for %s', (name, baseUrl) => {
    const field = `proxy (${name})`;
    expect(chosen({ [name]: 'http://proxy.example:3128' }, baseUrl)).toEqual({
      origin: 'http://proxy.example:3128',
      field,
    });
    expect(chosen({ [name]: 'proxy.example:3128' }, baseUrl)).toEqual({ origin: 'http://proxy.example:3128', field });
  });

  test('is not used if the variable is for another scheme, empty or unset', () => {
    expect(chosen({ HTTP_PROXY: 'http://proxy.example:3128' })).toBeNull();
    expect(chosen({ https_proxy: '' })).toBeNull();
    expect(chosen({})).toBeNull();
  });

  test('is that in lower case if both are set', () => {
    const both = { https_proxy: 'http://lower.example', HTTPS_PROXY: 'http://upper.example' };
    expect(chosen(both)?.origin).toBe('http://lower.example');
  });

  test.each(['socks5://proxy.example:1080', 'http://', 'ftp://x'])('is named by its variable if it is %s', (value) => {
    expect(() => chosen({ HTTPS_PROXY: value })).toThrow(ConfigurationError);
    expect(() => chosen({ HTTPS_PROXY: value })).toThrow(
      /^HTTPS_PROXY: is not the http or https URL of a proxy; correct/,
    );
  });

  test.each([
    ['api.sandbox.example.com', HTTPS],
    ['sandbox.example.com', HTTPS],
    ['other.example, .example.com', HTTPS],
    ['*.example.com', HTTPS],
    ['EXAMPLE.com:443', HTTPS],
    ['*', HTTPS],
    ['10.0.0.0/8', 'https://10.1.2.3'],
    ['10.1.2.3', 'https://10.1.2.3:8443'],
    ['[fd00::1]:8443', 'https://[fd00::1]:8443'],
    ['fd00::/8', 'https://[fd00::1]'],
  ])('is not used with NO_PROXY=%s for %s', (noProxy, baseUrl) => {
    expect(chosen({ HTTPS_PROXY: 'http://proxy.example', NO_PROXY: noProxy }, baseUrl)).toBeNull();
    expect(chosen({ HTTPS_PROXY: 'http://proxy.example', no_proxy: noProxy }, baseUrl)).toBeNull();
  });

  test.each([
    ['box.example.com', HTTPS],
    ['example.com:8443', HTTPS],
    ['10.0.0.0/8', 'https://11.1.2.3'],
    ['10.0.0.0/99', 'https://10.1.2.3'],
    ['', HTTPS],
  ])('is used with NO_PROXY=%s for %s', (noProxy, baseUrl) => {
    expect(chosen({ HTTPS_PROXY: 'http://proxy.example', NO_PROXY: noProxy }, baseUrl)).not.toBeNull();
  });
});

describe('the proxy of the target file', () => {
  test('overrides the environment, and none disables it', () => {
    const environment = { HTTPS_PROXY: 'http://proxy.example' };
    expect(chosen(environment, HTTPS, 'http://own.example:8080')).toEqual({
      origin: 'http://own.example:8080',
      field: 'proxy',
    });
    expect(chosen(environment, HTTPS, 'none')).toBeNull();
  });

  test.each(['http://127.0.0.1:80', 'http://localhost', 'https://[::1]'])('is not used for %s', (baseUrl) => {
    expect(chosen({ HTTP_PROXY: 'http://p.example', HTTPS_PROXY: 'http://p.example' }, baseUrl)).toBeNull();
    expect(chosen({}, baseUrl, 'http://own.example')).toBeNull();
  });

  test('contains no literal password, unless the proxy or the target is this machine', () => {
    const faults = (proxy: string, raw = proxy, baseUrl = HTTPS) =>
      networkProblems(targetAt(baseUrl, { proxy }), { proxy: raw });
    expect(faults('http://kit:secret@proxy.example')[0]?.text).toMatch(
      /^proxy: found a literal value, which is accepted/,
    );
    expect(faults('http://kit:secret@proxy.example', 'http://kit:${PASSWORD}@proxy.example')).toEqual([]);
    expect(faults('http://kit:secret@127.0.0.1:3128')).toEqual([]);
    expect(faults('http://proxy.example')).toEqual([]);
  });
});

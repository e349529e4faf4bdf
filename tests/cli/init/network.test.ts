import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { loadTarget } from '../../../engine/target/load-target.ts';
import { pathOf as certificatePath, secured } from '../../hostile/support/tls-server.ts';
import { initialization, KEYS, LIST, SELLER } from './support/initialization.ts';
import { INVOICE, listOf, startServer } from './support/server.ts';

const { init, serve } = initialization();

test('a server with an authority of its own is reached with --ca, which becomes tls.ca', async () => {
  const { baseUrl } = await secured(await serve({ [LIST]: listOf(INVOICE) }), 'good');
  const ca = relative(process.cwd(), certificatePath('authority'));
  const { file, lines } = await init({ baseUrl, environment: KEYS, ca });
  expect(lines).toContain(`found        baseUrl: GET ${baseUrl}${LIST} returned 200`);
  expect(loadTarget({ file, environment: KEYS }).tls).toEqual({ ca: certificatePath('authority') });
});

test('a server with an unknown authority gets no key', async () => {
  const { baseUrl, reached } = await secured(await serve({}), 'good');
  const { lines } = await init({ baseUrl, environment: KEYS });
  expect(lines.find((line) => line.startsWith('wrong'))).toMatch(/an authority that this machine does not trust/);
  expect(reached).toEqual([]);
});

test('requests go through the proxy of the environment', async () => {
  const proxy = await serve((path) => (path.endsWith(LIST) ? listOf(INVOICE) : undefined));
  const environment = { ...SELLER, HTTP_PROXY: proxy.baseUrl };
  const { lines } = await init({ baseUrl: 'http://server.invalid', environment });
  expect(lines).toContain(`found        baseUrl: GET http://server.invalid${LIST} returned 200`);
  expect(proxy.requests.map(({ path }) => path)).toContain(`http://server.invalid${LIST}`);
});

test('requests to this machine go through no proxy', async () => {
  const proxy = await startServer({});
  await proxy.close();
  const server = await serve({ [LIST]: listOf(INVOICE) });
  const { lines } = await init({ baseUrl: server.baseUrl, environment: { ...SELLER, HTTP_PROXY: proxy.baseUrl } });
  expect(lines).toContain(`found        baseUrl: GET ${server.baseUrl}${LIST} returned 200`);
});

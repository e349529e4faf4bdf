import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { openApi, usualDocument } from './support/documents.ts';
import { initialization, KEYS, LIST, SELLER } from './support/initialization.ts';
import { INVOICE, listOf } from './support/server.ts';

const { init, pathOf, serve } = initialization();

describe('the OpenAPI document', () => {
  const { document, bindings } = usualDocument();

  test.each(['/openapi.json', '/v3/api-docs', '/api/openapi.json'])('is found at %s', async (place) => {
    const server = await serve({ [place]: [200, document] });
    const { target, lines, written } = await init({ baseUrl: server.baseUrl });
    expect(target.operations).toMatchObject(bindings);
    expect(lines).toContain(`found        OpenAPI document ${server.baseUrl}${place}: binds 12 operations`);
    expect(written).toMatch(/^ {2}approve: .* # from the OpenAPI document$/m);
  });

  test('is found at the origin of a base URL with a prefix, as YAML and with the seller key', async () => {
    const server = await serve((path, { headers }) => {
      if (path === `/gateway${LIST}`) return listOf(INVOICE);
      if (path !== '/openapi.yaml') return undefined;
      return headers['x-api-key'] === undefined ? [401, {}] : [200, stringify(document), 'application/yaml'];
    });
    const { target } = await init({ baseUrl: `${server.baseUrl}/gateway`, environment: SELLER });
    expect(target.operations).toMatchObject(bindings);
  });

  test('and a response bind an operation together', async () => {
    const server = await serve({
      '/openapi.json': [200, openApi({ '/api/v1/invoices': {}, '/api/v1/invoices/{x}': { get: {} } })],
      [LIST]: listOf(INVOICE),
      [`${LIST}/inv-1`]: [200, INVOICE],
    });
    const { written } = await init({ baseUrl: server.baseUrl, environment: SELLER });
    expect(written).toMatch(/^ {2}read: .* # from the OpenAPI document, returned 200$/m);
    expect(written).toMatch(/^ {2}approve: .* # usual path; not in the OpenAPI document$/m);
  });

  test('that cannot be used is one line', async () => {
    const server = await serve({ '/openapi.json': [200, '{"openapi": "3.1.0", ', 'application/json'] });
    const { lines } = await init({ baseUrl: server.baseUrl });
    expect(lines).toContain(
      `wrong        --openapi: ${server.baseUrl}/openapi.json is neither valid JSON nor valid YAML; name an OpenAPI document`,
    );
  });

  test('may be a file, without any request', async () => {
    const file = pathOf('service.yaml');
    writeFileSync(file, stringify(document));
    const { target } = await init({ openapi: file, probe: false });
    expect(target.operations).toMatchObject(bindings);
  });

  test('may be at another address, which gets no credentials', async () => {
    const other = await serve({ '/x.json': [200, document] });
    const server = await serve({ [LIST]: listOf(INVOICE) });
    const { target } = await init({
      baseUrl: server.baseUrl,
      environment: KEYS,
      openapi: `${other.baseUrl}/x.json?token=1`,
    });
    expect(target.operations.approve).toMatchObject(bindings.approve ?? {});
    expect(other.requests).toEqual([{ method: 'GET', path: '/x.json', key: undefined }]);
  });

  test('that refers to other documents is reported', async () => {
    const file = pathOf('service.json');
    writeFileSync(file, JSON.stringify(openApi({ [`${LIST}/{id}/approve`]: { $ref: 'paths/approve.yaml' } })));
    const { lines } = await init({ openapi: file });
    expect(lines.find((line) => line.startsWith('wrong'))).toMatch(
      /refers to other documents, which init does not follow \(paths\/approve\.yaml\); bundle it into one document$/,
    );
  });
});

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Cancelled } from '../../../cli/init/cancelled.ts';
import type { InitRequest } from '../../../cli/init/session.ts';
import { loadTarget } from '../../../engine/target/load-target.ts';
import { initialization, KEYS, LIST, SELLER } from './support/initialization.ts';
import { INVOICE, listOf } from './support/server.ts';
import { CTRL_C, ENTER, type Reply, scriptedTerminal } from './support/terminal.ts';

const { init, pathOf, serve } = initialization();

test('without a base URL, nothing is requested, and the example is written', async () => {
  const { target, announced } = await init({ environment: KEYS });
  expect(target.baseUrl).toBe('https://staging.example.com');
  expect(announced).toEqual([]);
});

describe('wrong input is rejected before anything is written', () => {
  test.each([
    ['a malformed base URL', { baseUrl: 'foo' }, /^--base-url: baseUrl: found "foo"; write an absolute/],
    ['a missing secrets file', { secrets: 'none.env' }, /^--secrets: cannot read none\.env \(ENOENT\)/],
    ['a missing document', { openapi: 'none.yaml' }, /^--openapi: cannot read none\.yaml \(ENOENT\)/],
    [
      'a URL without requests',
      { openapi: 'http://127.0.0.1:1/x', probe: false },
      /^--openapi: found a URL, but --no-probe/,
    ],
    [
      'an address without a server',
      { openapi: 'http://127.0.0.1:1/x' },
      /^--openapi: http:\/\/127\.0\.0\.1:1\/x no response/,
    ],
    ['an address that is no URL', { openapi: 'http://' }, /^--openapi: is not a valid URL/],
    ['a missing authority', { ca: 'none.pem' }, /^--ca: .*none\.pem/],
    [
      'a production key of the seller',
      { environment: { CONFORMANCE_SELLER_KEY: 'svc_prod_1' } },
      /^CONFORMANCE_SELLER_KEY: starts with svc_prod_/,
    ],
    [
      'a key of two actors',
      { environment: { ...KEYS, BUYER_KEY: KEYS.SELLER_KEY } },
      /^BUYER_KEY: is the same as actors\.seller\.key/,
    ],
    [
      'a secret with a line break',
      { environment: { ...KEYS, SELLER_SECRET: 'a\nb' } },
      /^SELLER_SECRET: found a text with a line break/,
    ],
  ] as [string, Partial<InitRequest>, RegExp][])('%s', async (_, settings, line) => {
    const error = await init(settings).then(
      () => new Error('no error'),
      (reason: unknown) => reason as Error,
    );
    expect(error.name).toBe('ConfigurationError');
    expect(error.message).toMatch(line);
    expect(error.message).not.toMatch(/secret-of|\n/);
    expect(existsSync(pathOf('target.yaml'))).toBe(false);
  });

  test.each([
    ['a missing folder', 'missing/target.yaml', /cannot be written \(ENOENT\); name a file in a folder/],
    ['a folder', '.', /is a folder; name a file in it/],
    ['an existing file', 'existing.yaml', /already exists; name another file or remove it first/],
  ])('%s', async (_, name, line) => {
    writeFileSync(pathOf('existing.yaml'), 'mine');
    await expect(init({ file: pathOf(name) })).rejects.toThrow(line);
    expect(readFileSync(pathOf('existing.yaml'), 'utf8')).toBe('mine');
  });
});

test('the target file cannot hold the secrets', async () => {
  const envFile = pathOf('target.yaml');
  await expect(init({ environment: KEYS, envFile })).rejects.toThrow(/^--write-secrets: \S+ is the target file/);
  expect(existsSync(envFile)).toBe(false);
});

describe('keys', () => {
  test('from the environment are not stored', async () => {
    await init({ environment: KEYS, baseUrl: 'http://127.0.0.1:1' });
    expect(existsSync(pathOf('.env'))).toBe(false);
  });

  test('are stored in a file that --write-secrets names', async () => {
    const envFile = pathOf('kit.env');
    const { lines } = await init({
      environment: { CONFORMANCE_SELLER_KEY: 'svc_sand_x', SELLER_SECRET: 'y' },
      envFile,
    });
    expect(readFileSync(envFile, 'utf8')).toBe('CONFORMANCE_SELLER_KEY=svc_sand_x\nSELLER_SECRET=y\n');
    expect((statSync(envFile).mode & 0o777).toString(8)).toBe('600');
    expect(lines[1]).toBe(
      `Wrote CONFORMANCE_SELLER_KEY and SELLER_SECRET to ${envFile}, which only its owner can read.`,
    );
  });

  test('that would replace another value are rejected without a terminal', async () => {
    const envFile = pathOf('kit.env');
    writeFileSync(envFile, 'SELLER_KEY=other\n');
    await expect(init({ environment: KEYS, envFile })).rejects.toThrow(
      /^SELLER_KEY: is already in \S+kit\.env with another value; remove the line there, or name another file with --write-secrets$/,
    );
    expect(readFileSync(envFile, 'utf8')).toBe('SELLER_KEY=other\n');
  });

  test('from a secrets file are used under the names there', async () => {
    const secrets = pathOf('mine.env');
    writeFileSync(secrets, 'export CONFORMANCE_SELLER_KEY=svc_sand_x\nCONFORMANCE_SELLER_SECRET="y z"\n');
    const { file, written } = await init({ secrets });
    expect(written).toContain('seller: { key: "${CONFORMANCE_SELLER_KEY}", secret: "${CONFORMANCE_SELLER_SECRET}" }');
    expect(loadTarget({ file, envFile: secrets, environment: {} }).actors.seller).toEqual({
      key: 'svc_sand_x',
      secret: 'y z',
    });
  });

  test('and organizations may come from the environment', async () => {
    const { target } = await init({ environment: { ...SELLER, CONFORMANCE_SELLER_ORGANIZATION_ID: 'o' } });
    expect(target.actors.seller.organizationId).toBe('${CONFORMANCE_SELLER_ORGANIZATION_ID}');
  });

  test('are announced before they travel unencrypted', async () => {
    const { announced } = await init({ baseUrl: 'http://server.invalid', environment: SELLER });
    expect(announced[0]).toMatch(/^--base-url: http:\/\/server\.invalid is not encrypted/);
  });
});

describe('in a terminal', () => {
  const replies: Reply[] = [
    ['seller: key', 'svc_sand_typed', ENTER],
    ['seller: secret', 'typed-secret', ENTER],
    ['buyer: key', ENTER],
    ['Add keys of further actors', ENTER],
  ];

  test('typed keys are used and stored, and never reach the target file', async () => {
    mkdirSync(pathOf('.git'));
    const server = await serve({ [LIST]: listOf(INVOICE) });
    const { streams } = scriptedTerminal([['Base URL', server.baseUrl, ENTER], ...replies]);
    const { file, written, lines } = await init({ terminal: streams });
    expect(server.requests.some(({ key }) => key === 'svc_sand_typed')).toBe(true);
    const envFile = pathOf('.env');
    expect(readFileSync(envFile, 'utf8')).toBe('SELLER_KEY=svc_sand_typed\nSELLER_SECRET=typed-secret\n');
    expect((statSync(envFile).mode & 0o777).toString(8)).toBe('600');
    expect(written).not.toMatch(/typed/);
    expect(readFileSync(pathOf('.gitignore'), 'utf8')).toBe('/.env\n');
    expect(lines).toContain(`Added ${envFile} to .gitignore.`);
    expect(loadTarget({ file, envFile, environment: {} }).actors).toEqual({
      seller: { key: 'svc_sand_typed', secret: 'typed-secret', organizationId: 'org-seller' },
    });
  });

  test.each([
    ['y', 'SELLER_KEY=svc_sand_typed\nMINE=1\nSELLER_SECRET=typed-secret\n'],
    ['n', 'SELLER_KEY=old\nMINE=1\nSELLER_SECRET=typed-secret\n'],
  ])('an existing variable is replaced only if the user agrees: %s', async (key, content) => {
    const envFile = pathOf('.env');
    writeFileSync(envFile, 'SELLER_KEY=old\nMINE=1\n', { mode: 0o644 });
    const { streams } = scriptedTerminal([...replies, ['SELLER_KEY is already in', key]]);
    const { lines } = await init({ baseUrl: 'http://127.0.0.1:1', terminal: streams });
    expect(readFileSync(envFile, 'utf8')).toBe(content);
    expect(lines).toContain(`Others could read ${envFile} before; its permissions are now 0600.`);
  });

  test('a file whose variables the user keeps is still the file of the secrets', async () => {
    writeFileSync(pathOf('.env'), 'SELLER_KEY=a\nSELLER_SECRET=b\n', { mode: 0o600 });
    const { streams } = scriptedTerminal([...replies, ['SELLER_KEY is', ENTER], ['SELLER_SECRET is', ENTER]]);
    const { lines, stored } = await init({ baseUrl: 'http://127.0.0.1:1', terminal: streams });
    expect(readFileSync(pathOf('.env'), 'utf8')).toBe('SELLER_KEY=a\nSELLER_SECRET=b\n');
    expect([stored?.file, lines.filter((line) => line.startsWith('Wrote'))]).toEqual([
      pathOf('.env'),
      [`Wrote ${pathOf('target.yaml')}.`],
    ]);
  });

  test('typed keys are added to the file that --secrets names', async () => {
    const secrets = pathOf('mine.env');
    writeFileSync(secrets, 'SELLER_KEY=svc_sand_x\n');
    const { streams } = scriptedTerminal(replies.slice(1));
    await init({ baseUrl: 'http://127.0.0.1:1', secrets, terminal: streams });
    expect(readFileSync(secrets, 'utf8')).toBe('SELLER_KEY=svc_sand_x\nSELLER_SECRET=typed-secret\n');
  });

  test('nothing is written after Ctrl-C', async () => {
    const { streams } = scriptedTerminal([...replies.slice(0, 3), ['Add keys of further actors', CTRL_C]]);
    await expect(init({ baseUrl: 'http://127.0.0.1:1', terminal: streams })).rejects.toBeInstanceOf(Cancelled);
    expect([existsSync(pathOf('target.yaml')), existsSync(pathOf('.env'))]).toEqual([false, false]);
  });

  test('a broken env file is reported before the first question', async () => {
    writeFileSync(pathOf('.env'), 'nonsense\n');
    await expect(init({ terminal: scriptedTerminal([]).streams })).rejects.toThrow(/\.env:1: is not NAME=value/);
  });
});

test('a stop while requests are sent writes nothing', async () => {
  const controller = new AbortController();
  const server = await serve(() => {
    controller.abort();
    return listOf(INVOICE);
  });
  const started = init({ baseUrl: server.baseUrl, environment: SELLER, stop: controller.signal });
  await expect(started).rejects.toBeInstanceOf(Cancelled);
  expect(existsSync(pathOf('target.yaml'))).toBe(false);
});

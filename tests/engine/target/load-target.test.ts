import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import { variableStem } from '../../../engine/target/environment-variables.ts';
import { loadTarget, type TargetSources } from '../../../engine/target/load-target.ts';
import { isLoopback } from '../../../engine/target/network/loopback.ts';

const SECRET = 'hush-this-is-a-secret';

/** A file that is removed after the test. */
function file(content: string, name = 'target.yaml'): string {
  const folder = mkdtempSync(join(tmpdir(), 'kit-target-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

function load(content: string, sources: Partial<TargetSources> = {}) {
  return loadTarget({ file: file(content), environment: {}, ...sources });
}

/** The lines of the message. */
function problems(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  throw new Error('no problem was found');
}

const LOCAL = `name: Local
baseUrl: http://127.0.0.1:8080
actors:
  seller: { key: svc_sand_seller, secret: ${SECRET} }
`;

describe('a target file', () => {
  test('is read as YAML, and as JSON', () => {
    const target = load(LOCAL);
    expect(target).toMatchObject({ name: 'Local', actors: { seller: { key: 'svc_sand_seller', secret: SECRET } } });
    const { notOffered: _, simulatesWithdrawals: __, secretVariables: ___, ...content } = target;
    expect(load(JSON.stringify(content))).toEqual(target);
  });

  test('resolves environment references in every string', () => {
    const text = `baseUrl: https://\${HOST}/\${PREFIX}
actors:
  seller: { key: "\${SELLER_KEY}", secret: \${SELLER_SECRET}, organizationId: org-\${ORG} }
operations:
  approve: { method: PATCH, path: "/api/v1/invoices/{id}", body: { note: ["\${PREFIX}", "{text}"] } }
`;
    const environment = { HOST: 'a.example', PREFIX: 'p', SELLER_KEY: 'svc_sand_1', SELLER_SECRET: SECRET, ORG: '7' };
    expect(load(text, { environment })).toMatchObject({
      baseUrl: 'https://a.example/p',
      actors: { seller: { key: 'svc_sand_1', secret: SECRET, organizationId: 'org-7' } },
      operations: { approve: { body: { note: ['p', '{text}'] } } },
    });
  });

  test('resolves references from a secrets file, and the environment takes precedence', () => {
    const envFile = file('SELLER_KEY=from-file\nSELLER_SECRET="from file"\n', '.env');
    const text = `baseUrl: https://a.example\nactors: { seller: { key: "\${SELLER_KEY}", secret: "\${SELLER_SECRET}" } }\n`;
    const target = load(text, { envFile, environment: { SELLER_KEY: 'svc_sand_real' } });
    expect(target.actors.seller).toEqual({ key: 'svc_sand_real', secret: 'from file' });
    expect(target.secretVariables).toEqual({ 'seller.key': 'SELLER_KEY', 'seller.secret': 'SELLER_SECRET' });
  });

  test('keeps the placeholders of body templates', () => {
    const text = `${LOCAL}operations:\n  submit: { method: POST, path: "/x/{id}", body: { requestId: "{requestId}" } }\n`;
    expect(load(text).operations.submit?.body).toEqual({ requestId: '{requestId}' });
  });
});

describe('a problem of a target file', () => {
  test('is every reference that is not set, with its line', () => {
    const text = `baseUrl: https://a.example
actors:
  seller:
    key: \${SELLER_KEY}
    secret: \${SELLER_SECRET}
`;
    expect(problems(() => load(text, { environment: { SELLER_SECRET: '' } }))).toEqual([
      expect.stringMatching(
        /target\.yaml:4: actors\.seller\.key: the environment variable SELLER_KEY is not set; set it/,
      ),
      expect.stringMatching(
        /target\.yaml:5: actors\.seller\.secret: the environment variable SELLER_SECRET is empty; give it a value/,
      ),
    ]);
  });

  test('is a literal secret, unless the target is this machine', () => {
    const [problem, ...others] = problems(() => load(LOCAL.replace('http://127.0.0.1:8080', 'https://a.example')));
    expect(others).toEqual([]);
    expect(problem).toMatch(
      /target\.yaml:4: actors\.seller\.secret: found a literal secret, which is accepted only for loopback targets/,
    );
    expect(problem).toContain('${SOME_NAME}');
  });

  test('is an unknown field, with its line', () => {
    const [problem] = problems(() => load(`${LOCAL}limits:\n  concurency: 4\n`));
    expect(problem).toMatch(/target\.yaml:6: unknown field limits\.concurency; did you mean limits\.concurrency\?$/);
  });

  test('is a value of the wrong form, with its line and what was found', () => {
    const [problem] = problems(() => load(`${LOCAL}limits:\n  concurrency: 0\n`));
    expect(problem).toMatch(/target\.yaml:6: limits\.concurrency: found 0; write a whole number from 1 to 256$/);
  });

  test('is an action that does not name the invoice', () => {
    const text = `${LOCAL}operations:\n  approve: { method: POST, path: /api/v1/approve }\n`;
    expect(problems(() => load(text))).toEqual([
      expect.stringMatching(/:6: operations\.approve: contains \{id\} neither/),
    ]);
  });

  test('is text that is not YAML, with the line of the error', () => {
    expect(problems(() => load(`baseUrl: http://127.0.0.1\nactors: {\n  seller\n`))[0]).toMatch(
      /target\.yaml:\d+: not readable as YAML/,
    );
  });

  test.each([
    ['a list', '- 1\n'],
    ['a text', 'hello\n'],
    ['nothing', ''],
  ])('is %s instead of a mapping', (_, text) => {
    expect(problems(() => load(text))[0]).toMatch(/target\.yaml:1: .*; write .*baseUrl and actors/);
  });

  test('is a field that appears twice', () => {
    expect(problems(() => load(`${LOCAL}name: Again\n`))[0]).toMatch(
      /target\.yaml:5: name: appears here a second time/,
    );
  });

  test('is a file that does not exist', () => {
    expect(problems(() => loadTarget({ file: '/nowhere/t.yaml', environment: {} }))).toEqual([
      '--target: cannot read /nowhere/t.yaml (ENOENT); give the path of an existing target file',
    ]);
    expect(problems(() => loadTarget({ envFile: '/nowhere/.env', environment: {} }))[0]).toMatch(
      /^--secrets: cannot read/,
    );
  });

  test.each(['seller', 'buyer', 'outsider', 'readOnly', 'revoked'])('is a production key as %s', (name) => {
    const text = `${LOCAL}  ${name === 'seller' ? 'buyer' : name}: { key: svc_prod_1, secret: x-${SECRET} }\n`;
    const given = name === 'seller' ? text.replace('svc_sand_seller', 'svc_prod_0') : text;
    expect(problems(() => load(given)).join('\n')).toContain(`actors.${name}.key: starts with svc_prod_`);
  });

  test('is no revoked key without a prefix if the keys that work have none either', () => {
    const text = `${LOCAL}  revoked: { key: legacy-1, secret: x-${SECRET} }\n`.replace('svc_sand_seller', 'legacy-0');
    expect(load(text).actors.revoked?.key).toBe('legacy-1');
  });

  test('is a sandbox key as production', () => {
    const text = `${LOCAL}  production: { key: svc_sand_1, secret: x-${SECRET} }\n`;
    expect(problems(() => load(text))).toEqual([
      expect.stringContaining('actors.production.key: starts with svc_sand_'),
    ]);
  });
});

describe('no problem echoes a credential', () => {
  test.each([
    ['with a space at its end', `{ key: svc_sand_1, secret: "${SECRET} " }`],
    ['with a line break', `{ key: svc_sand_1, secret: "${SECRET}\\n" }`],
    ['as a key with an umlaut', `{ key: "${SECRET}ü", secret: s }`],
    ['inside a list', `{ key: svc_sand_1, secret: ["${SECRET}"] }`],
    ['inside a mapping', `{ key: svc_sand_1, secret: { value: "${SECRET}" } }`],
    ['in place of the actor', `${SECRET}`],
    ['under another name', `{ key: svc_sand_1, secret: s, password: "${SECRET}" }`],
    ['in quotes that are not closed', `{ key: svc_sand_1, secret: "${SECRET} }`],
    ['after quotes that end too early', `{ key: svc_sand_1, secret: "a" ${SECRET} }`],
    ['that YAML reads as an alias', `{ key: svc_sand_1, secret: *${SECRET} }`],
    ['that YAML reads as a tag', `{ key: svc_sand_1, secret: !${SECRET} }`],
    ['of a literal kind', `{ key: svc_sand_1, secret: "${SECRET}" }`],
  ])('%s', (_, actor) => {
    const text = `baseUrl: https://a.example\nactors:\n  seller: ${actor}\n`;
    expect(problems(() => load(text)).join('\n')).not.toContain(SECRET);
  });
});

test('a password in the base URL is not echoed', () => {
  const text = LOCAL.replace('127.0.0.1', `user:${SECRET}x@127.0.0.1`);
  expect(problems(() => load(text))).toEqual([
    expect.stringMatching(/:2: baseUrl: contains a user or a password; write the URL without it$/),
  ]);
});

test('a misspelt field at the top does not echo the file', () => {
  expect(problems(() => load(`${LOCAL}limit: 1\n`)).join()).not.toContain(SECRET);
});

describe('the short form', () => {
  const environment = { CONFORMANCE_SELLER_KEY: 'svc_sand_1', CONFORMANCE_SELLER_SECRET: SECRET };
  const seller = { key: 'svc_sand_1', secret: SECRET };

  test('is one option and two variables', () => {
    expect(loadTarget({ baseUrl: 'https://a.example', environment })).toMatchObject({
      baseUrl: 'https://a.example',
      actors: { seller },
    });
  });

  test('may come from the environment alone', () => {
    const all = { ...environment, CONFORMANCE_BASE_URL: 'https://b.example', CONFORMANCE_READ_ONLY_KEY: 'svc_sand_2' };
    const target = loadTarget({
      environment: { ...all, CONFORMANCE_READ_ONLY_SECRET: 's', CONFORMANCE_SELLER_ORGANIZATION_ID: '7' },
    });
    expect(target).toMatchObject({
      baseUrl: 'https://b.example',
      actors: { seller: { ...seller, organizationId: '7' }, readOnly: { key: 'svc_sand_2', secret: 's' } },
    });
  });

  test('lets an option override the file, and the file override the environment', () => {
    const text = `baseUrl: https://file.example\nactors: { seller: { key: svc_sand_file, secret: "\${S}" } }\n`;
    const more = {
      ...environment,
      S: SECRET,
      CONFORMANCE_BASE_URL: 'https://env.example',
      CONFORMANCE_BUYER_KEY: 'svc_sand_b',
    };
    const target = load(text, {
      baseUrl: 'https://flag.example',
      environment: { ...more, CONFORMANCE_BUYER_SECRET: 'from-environment' },
    });
    expect(target.baseUrl).toBe('https://flag.example');
    expect(target.actors.seller?.key).toBe('svc_sand_file');
    expect(target.actors.buyer).toEqual({ key: 'svc_sand_b', secret: 'from-environment' });
  });

  test('names the options if there is no target', () => {
    expect(problems(() => loadTarget({ environment: {} }))).toEqual([
      expect.stringMatching(
        /^no target: give a target file with --target, or give --base-url .*CONFORMANCE_SELLER_KEY/,
      ),
    ]);
  });

  test('names the missing variable without keys or with half a pair', () => {
    expect(problems(() => loadTarget({ baseUrl: 'https://a.example', environment: {} })).join()).toContain('actors');
    const half = { CONFORMANCE_SELLER_KEY: 'svc_sand_1' };
    expect(problems(() => loadTarget({ baseUrl: 'https://a.example', environment: half })).join()).toContain(
      'actors.seller.secret',
    );
  });
});

test.each([
  ['http://localhost:1', true],
  ['http://127.0.0.1:1/x', true],
  ['http://127.8.9.1', true],
  ['http://[::1]:1', true],
  ['http://127.0.0.1.example.com', false],
  ['http://localhost.example.com', false],
  ['http://10.0.0.1', false],
  ['https://api.example.com', false],
])('whether %s is this machine: %s', (baseUrl, loopback) => {
  expect(isLoopback(baseUrl)).toBe(loopback);
});

test('the variables of an actor use its name in capitals', () => {
  expect(variableStem('seller')).toBe('SELLER');
  expect(variableStem('readOnly')).toBe('READ_ONLY');
});

describe('certificate authorities in addition to the well-known ones', () => {
  const authority = fileURLToPath(new URL('../../hostile/certificates/authority.pem', import.meta.url));

  test('are relative to the target file, or to the working directory for an option', () => {
    const named = file(`${LOCAL}tls: { ca: authority.pem }\n`);
    copyFileSync(authority, join(dirname(named), 'authority.pem'));
    expect(loadTarget({ file: named, environment: {} }).tls?.ca).toBe(join(dirname(named), 'authority.pem'));
    expect(loadTarget({ file: named, environment: {}, ca: relative('.', authority) }).tls?.ca).toBe(authority);
  });

  test.each([
    [
      'does not exist',
      undefined,
      /^\S+target\.yaml:5: tls\.ca: cannot read \S+authority\.pem \(ENOENT\); give the path of a PEM file/,
    ],
    [
      'contains no certificate',
      'hello',
      /^\S+target\.yaml:5: tls\.ca: \S+authority\.pem contains no certificate; give the path of a PEM file/,
    ],
    [
      'contains a damaged certificate',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      /^\S+target\.yaml:5: tls\.ca: \S+authority\.pem contains a certificate that cannot be parsed/,
    ],
  ])('in a file that %s give one clear line', (_, content, line) => {
    const named = file(`${LOCAL}tls: { ca: authority.pem }\n`);
    if (content !== undefined) writeFileSync(join(dirname(named), 'authority.pem'), content);
    expect(problems(() => loadTarget({ file: named, environment: {} }))).toEqual([expect.stringMatching(line)]);
  });
});

test('a client certificate is relative to the target file, and a wrong one is named with its line', () => {
  const certificates = fileURLToPath(new URL('../../hostile/certificates/', import.meta.url));
  const named = file(`${LOCAL}tls:\n  certificate: client.pem\n  key: client-key.pem\n  passphrase: open-sesame-42\n`);
  const folder = dirname(named);
  expect(problems(() => loadTarget({ file: named, environment: {} }))).toEqual([
    expect.stringMatching(/target\.yaml:6: tls\.certificate: cannot read \S+client\.pem \(ENOENT\)/),
  ]);
  for (const name of ['client.pem', 'client-key.pem']) copyFileSync(join(certificates, name), join(folder, name));
  expect(loadTarget({ file: named, environment: {} }).tls).toMatchObject({
    certificate: join(folder, 'client.pem'),
    key: join(folder, 'client-key.pem'),
  });
});

describe('a production credential', () => {
  const PRODUCTION = `${LOCAL}  production: { key: live_key_of_production, secret: live-secret-of-production }
`;

  test.each([
    [
      'the key of another actor',
      '  buyer: { key: live_key_of_production, secret: x }',
      'actors.production.key: is the same as actors.buyer.key; the kit changes data with',
    ],
    [
      'the secret of another actor',
      '  buyer: { key: x, secret: live-secret-of-production }',
      'actors.production.secret: is the same as actors.buyer.secret; the kit changes data with',
    ],
    [
      'a path',
      'operations:\n  submit: { method: POST, path: "/x/{id}?k=live_key_of_production" }',
      'operations.submit: contains a credential of actors.production',
    ],
    [
      'a body',
      'operations:\n  cancel: { method: POST, path: "/x/{id}", body: { a: ["live-secret-of-production"] } }',
      'operations.cancel: contains a credential of actors.production',
    ],
  ])('may not be in %s', (_, more, line) => {
    const told = problems(() => load(`${PRODUCTION}${more}\n`));
    expect(told).toEqual([expect.stringContaining(line)]);
    expect(told.join()).not.toMatch(/live[_-]/);
  });
});

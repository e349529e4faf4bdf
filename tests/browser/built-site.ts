import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { afterAll, beforeAll } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Below a folder, an address that lacks it leads nowhere. */
const BASE = '/kit/';

/** A busy machine may take long to build the site or to check a long page. */
export const LONG_MS = 300_000;

/** Builds the site for all tests of a file, and serves it. */
export function builtSite() {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-site-'));
  let server: ServerType;
  let origin = '';

  beforeAll(async () => {
    await buildSite(folder);
    const app = new Hono();
    const rewriteRequestPath = (path: string) => path.slice(BASE.length - 1);
    app.use(`${BASE}*`, serveStatic({ root: folder, rewriteRequestPath }));
    server = createAdaptorServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }, LONG_MS);

  afterAll(async () => {
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  return {
    folder: folder,
    url: (path: string) => `${origin}${BASE}${path}`,
  };
}

async function buildSite(folder: string): Promise<void> {
  const env = { ...process.env, SITE_BASE: BASE };
  await promisify(execFile)('npm', ['run', '--silent', 'site', '--', '--outDir', folder], { cwd: ROOT, env });
}

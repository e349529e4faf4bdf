import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { parse } from 'yaml';
import { type InitRequest, initialize } from '../../../../cli/init/session.ts';
import { summaryLines } from '../../../../cli/init/summary.ts';
import { startServer } from './server.ts';

export const KEYS = {
  SELLER_KEY: 'svc_sand_seller',
  SELLER_SECRET: 'secret-of-seller',
  BUYER_KEY: 'svc_sand_buyer',
  BUYER_SECRET: 'secret-of-buyer',
};
export const SELLER = { SELLER_KEY: KEYS.SELLER_KEY, SELLER_SECRET: KEYS.SELLER_SECRET };
export const LIST = '/api/v1/invoices';

/** Gives each test of a file an empty folder, init in it, and servers that stop after the test. */
export function initialization() {
  const root = mkdtempSync(join(tmpdir(), 'kit-init-'));
  const running: { close(): Promise<void> }[] = [];
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(root, 'x'));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.close()));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return {
    /** The path of a file in the folder of the test. */
    pathOf: (name: string) => join(folder, name),
    async serve(...args: Parameters<typeof startServer>) {
      const server = await startServer(...args);
      running.push(server);
      return server;
    },
    async init(settings: Partial<InitRequest>) {
      const file = join(folder, 'target.yaml');
      const announced: string[] = [];
      const summary = await initialize({
        file,
        probe: true,
        environment: {},
        terminal: null,
        announce: (line) => announced.push(line),
        stop: new AbortController().signal,
        ...settings,
      });
      const written = readFileSync(file, 'utf8');
      return { file, written, announced, stored: summary.stored, lines: summaryLines(summary), target: parse(written) };
    },
  };
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { allFaults } from '../../../reference/faults/all.ts';
import type { Rules } from '../../../reference/service/rules.ts';
import { startReference } from '../../../reference/service/start.ts';
import { conformance, patient, temporaryFolder } from '../support/command.ts';
import { startProxy } from '../support/proxy.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);

const CHECK = 'LIFE-02.approved-cancel';
const FAULT = allFaults.find(({ id }) => id === 'life-approved-cancel-allowed');

/** More responses of the first build than the watch needs to learn what they have in common. */
const RESPONSES_BEFORE_DEPLOYMENT = 5;
/** More than the preflight of the second run needs. */
const RESPONSES_BEFORE_SILENCE = 25;

/** A server whose first build has the fault. `startDeployment` replaces it after some more responses. */
async function startBuilds(name: string) {
  let build = 1;
  let requestsLeft = Number.POSITIVE_INFINITY;
  const server = await startReference({
    rules: (base) => {
      const faulty = FAULT?.rules?.(base) ?? base;
      return new Proxy(base, { get: (_, key: keyof Rules) => (build === 1 ? faulty : base)[key] });
    },
  });
  let outageAfter = Number.POSITIVE_INFINITY;
  const proxy = await startProxy(server.baseUrl, {
    onRequest: () => {
      requestsLeft -= 1;
      if (requestsLeft <= 0) build = 2;
      if (build === 2) outageAfter -= 1;
      return outageAfter > 0;
    },
    echo: () => ({ 'x-build': String(build) }),
  });
  const target = join(folder, `${name}.json`);
  writeFileSync(target, JSON.stringify({ ...server.target, baseUrl: proxy.baseUrl }));
  return {
    target,
    startDeployment: () => {
      requestsLeft = RESPONSES_BEFORE_DEPLOYMENT;
    },
    /** The second build serves this many requests, and then none. */
    startOutage: (after: number) => {
      outageAfter = after;
    },
    endOutage: () => {
      outageAfter = Number.POSITIVE_INFINITY;
    },
    close: async () => {
      await proxy.close();
      await server.close();
    },
  };
}

describe('--watch', () => {
  it('judges what failed again with the next build, and ends when it passes', async () => {
    const server = await startBuilds('mended');
    const args = ['run', '--target', server.target, '--only', `${CHECK},AUTH-01.both-missing`, '--watch'];
    const { code, stdout, stderr } = await conformance([...args, '--out', join(folder, 'mended')], {
      onOutput: (_, text) => {
        if (text.endsWith('Ctrl-C to end.\n')) server.startDeployment();
      },
    });
    await server.close();
    expect(stderr).toContain(`to judge 1 check again (${CHECK})`);
    expect(stderr).toContain('The server responds with another header x-build: judging again');
    expect(stderr).toContain('Every check that failed passes now.');
    expect(stdout).toMatch(/non-conformant.*passed/is);
    expect(code).toBe(0);
  });

  it('goes on if the server stops responding while it judges the next build', async () => {
    const server = await startBuilds('silent');
    const args = ['run', '--target', server.target, '--only', CHECK, '--watch', '--out', join(folder, 'silent')];
    const { code, stdout, stderr } = await conformance(args, {
      onOutput: (_, text) => {
        const watched = text.split('Ctrl-C to end.\n').length - 1;
        if (!text.endsWith('Ctrl-C to end.\n')) return;
        if (watched > 1) return server.endOutage();
        server.startOutage(RESPONSES_BEFORE_SILENCE);
        server.startDeployment();
      },
    });
    await server.close();
    expect(stdout).toMatch(/non-conformant.*inconclusive.*passed/is);
    expect(stderr).toContain('Every check that failed passes now.');
    expect(code).toBe(0);
  });

  it('says when the server stops responding during the wait, and judges again when it responds', async () => {
    const server = await startBuilds('down');
    const args = ['run', '--target', server.target, '--only', CHECK, '--watch', '--out', join(folder, 'down')];
    const { code, stderr } = await conformance(args, {
      onOutput: (_, text) => {
        if (text.endsWith('Waiting until it does.\n')) server.endOutage();
        if (!text.endsWith('Ctrl-C to end.\n')) return;
        server.startOutage(1);
        server.startDeployment();
      },
    });
    await server.close();
    expect(stderr).toContain('The server does not respond. Waiting until it does.');
    expect(stderr).toContain('The server responds again: judging again');
    expect(code).toBe(0);
  });

  it('ends with the exit code of the last run after Ctrl-C', async () => {
    const server = await startBuilds('stopped');
    let kill: (signal: NodeJS.Signals) => void = () => {};
    const args = ['run', '--target', server.target, '--only', CHECK, '--watch', '--out', join(folder, 'stopped')];
    const { code, stderr } = await conformance(args, {
      onStart: (stop) => {
        kill = stop;
      },
      onOutput: (_, text) => {
        if (text.includes('Watching')) kill('SIGINT');
      },
    });
    await server.close();
    expect(stderr).toContain('Press Enter to judge now, Ctrl-C to end.');
    expect(code).toBe(1);
  });

  it('needs a server, and no history', async () => {
    const without = await conformance(['run', '--watch']);
    expect(without).toMatchObject({
      code: 2,
      stderr: 'conformance: --watch: needs a server; name one with --target or --base-url\n',
    });
    expect((await conformance(['run', '--watch', '--history', 'h'])).code).toBe(2);
  });
});

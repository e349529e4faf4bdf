import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { STOP_SIGNALS } from '../../../cli/processes/graceful-shutdown.ts';
import { CHAIN_START } from '../../../specs/formats/journal-chain.ts';
import { conformance, kindsIn, node, patient, reportIn, temporaryFolder } from '../../cli/support/command.ts';
import { type Front, type FrontOptions, startFront } from '../support/hostile-proxy.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
const fronts: Front[] = [];
afterAll(async () => {
  await Promise.all(fronts.map((each) => each.close()));
  remove();
});
const here = { cwd: folder };
const keys = { CONFORMANCE_SELLER_KEY: 'svc_sand_1', CONFORMANCE_SELLER_SECRET: 'hush-this-is-a-secret' };
const authority = fileURLToPath(new URL('../certificates/authority.pem', import.meta.url));
/** A reserved port on which nothing listens. */
const DEAD = 'http://127.0.0.1:1';
let files = 0;

/** A hostile proxy and its target file. */
async function front(options: FrontOptions = {}): Promise<{ front: Front; file: string; out: string }> {
  const made = await startFront(options);
  fronts.push(made);
  files += 1;
  const file = `target-${files}.yaml`;
  writeFileSync(join(folder, file), stringify(made.target({ requestTimeoutMs: 10_000 })));
  return { front: made, file, out: `out-${files}` };
}

const HANDFUL = ['--only', 'AUTH-01,CREATE-01,LIFE-01'];

describe.concurrent('an unreachable target gives one clear line and exit 2, and no leftovers:', () => {
  test('at a port without a listener', async () => {
    const baseUrl = DEAD;
    const { code, stderr } = await conformance(['run', '--base-url', baseUrl, '--out', 'refused/deep'], {
      ...here,
      env: keys,
    });
    expect([code, stderr]).toEqual([
      2,
      `conformance: baseUrl: no response from ${baseUrl}: no connection (ECONNREFUSED); start the server (limits.startWithinMs gives it time to start) or correct baseUrl\n`,
    ]);
    expect(existsSync(join(folder, 'refused'))).toBe(false);
  });

  test('and the report of the previous run stays in place', async () => {
    const { file, out } = await front();
    expect((await conformance(['run', '--target', file, '--only', 'AUTH-01', '--out', out], here)).code).toBe(0);
    const before = readFileSync(join(folder, out, 'report.json'), 'utf8');
    const gone = ['run', '--target', file, '--base-url', DEAD, '--out', out];
    expect((await conformance(gone, here)).code).toBe(2);
    expect(readFileSync(join(folder, out, 'report.json'), 'utf8')).toBe(before);
    expect(readdirSync(join(folder, out))).not.toContain('previous');
  });
});

test.concurrent('a file without a certificate gives one clear line', async () => {
  const args = ['run', '--base-url', DEAD, '--out', 'never', '--ca', 'none.pem'];
  const { code, stdout, stderr } = await conformance(args, { ...here, env: keys });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(
    /^conformance: --ca: cannot read \S+none\.pem \(ENOENT\); give the path of a PEM file with a certificate\n$/,
  );
  expect(existsSync(join(folder, 'never'))).toBe(false);
});

describe.concurrent('limits on the command line', () => {
  test('are applied and shown in the report', async () => {
    const { front: service, file, out } = await front();
    const limits = ['--max-requests', '40', '--deadline', '2m', '--concurrency', '3', '--ca', authority];
    const { code, stdout } = await conformance(['run', '--target', file, ...HANDFUL, ...limits, '--out', out], here);
    expect([code, service.crowd]).toEqual([3, 3]);
    expect(service.requests.length).toBeLessThanOrEqual(40);
    expect(stdout).toContain('the budget of 40 requests');
    expect(reportIn(join(folder, out)).run.limits).toMatchObject({
      maxRequests: 40,
      deadlineMs: 120_000,
      concurrency: 3,
    });
  });

  test('let a deadline end a run in order', async () => {
    const { file, out } = await front({ lateMs: 100 });
    const { code, stdout } = await conformance(['run', '--target', file, '--deadline', '4s', '--out', out], here);
    expect(code, stdout).toBe(3);
    expect(stdout).toContain(
      'the run was interrupted: its deadline of 4 s (limits.deadlineMs, --deadline) was reached',
    );
    expect(kindsIn(join(folder, out)).at(-1)).toBe('footer');
    const left = reportIn(join(folder, out)).leftovers;
    expect(left.filter(({ what, reason }) => /DRAFT|SUBMITTED/.test(what) && !/rejected with 4/.test(reason))).toEqual(
      [],
    );
  });
});

describe.concurrent('a run that is ended', () => {
  test.for(['SIGINT'] as const)('by %s during the preflight has judged nothing and leaves nothing', async (signal) => {
    let end = () => {};
    const { file, out } = await front({
      strikes: () => {
        end();
        return () => {};
      },
    });
    const onStart = (kill: (signal: NodeJS.Signals) => void) => {
      end = () => kill(signal);
    };
    const { code, stdout, stderr } = await conformance(['run', '--target', file, '--out', out], { ...here, onStart });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('conformance: the run stopped before it judged a check');
    expect(existsSync(join(folder, out))).toBe(false);
  });

  test.for(STOP_SIGNALS.filter((signal) => signal !== 'SIGINT'))(
    'by %s in its middle is cleaned up',
    async (signal) => {
      let end = () => {};
      const { file, out } = await front({
        strikes: (count) => {
          if (count === 150) end();
          return null;
        },
      });
      const onStart = (kill: (signal: NodeJS.Signals) => void) => {
        end = () => kill(signal);
      };
      const { code } = await conformance(['run', '--target', file, '--out', out], { ...here, onStart });
      expect([code, kindsIn(join(folder, out)).at(-1)]).toEqual([3, 'footer']);
      expect(reportIn(join(folder, out)).run.interrupted).toBe(`it received ${signal}`);
    },
  );

  test.for([250])('by kill -9 at request %i can still be reported', async (last) => {
    let kill = () => {};
    const { file, out } = await front({
      strikes: (count) => {
        if (count === last) kill();
        return null;
      },
    });
    const onStart = (send: (signal: NodeJS.Signals) => void) => {
      kill = () => send('SIGKILL');
    };
    const killed = await conformance(['run', '--target', file, '--out', out], { ...here, onStart });
    expect([killed.code, existsSync(join(folder, out, 'report.json'))]).toEqual([null, false]);
    const { code, stdout } = await conformance(['report', out], here);
    const report = reportIn(join(folder, out));
    expect([code, report.verdict]).toEqual([3, 'inconclusive']);
    expect(report.run.interrupted).toMatch(/the run ended early/);
    expect(report.summary.executed).toBeLessThan(report.summary.selected);
    expect(stdout).toContain('the journal has no footer: the run ended early');
  });

  test('before its first line was written cannot be reported, and the command says so', async () => {
    mkdirSync(join(folder, 'unwritten'));
    for (const text of ['', `{"previous":"${CHAIN_START}","kind":"header","schemaV`]) {
      writeFileSync(join(folder, 'unwritten', 'evidence.jsonl'), text);
      const { code, stderr } = await conformance(['report', 'unwritten'], here);
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(
          /^conformance: unwritten.evidence\.jsonl: the journal has no header.*this run cannot be reported\n$/,
        ),
      ]);
    }
  });
});

describe.concurrent('a disk that is full', () => {
  const HOOK = fileURLToPath(new URL('../support/full-disk.mjs', import.meta.url));

  test.for([0, 600_000])('after %i bytes of evidence ends the run with one clear line and exit 4', async (room) => {
    const { file, out } = await front();
    const args = ['run', '--target', file, '--out', out];
    const { code, stdout, stderr } = await conformance(args, {
      ...here,
      env: { NODE_OPTIONS: `--import ${HOOK}`, ROOM: String(room) },
    });
    expect(code, stderr).toBe(4);
    const first = room === 0 ? 'run.lock' : 'evidence.jsonl';
    expect(stderr).toContain(`conformance: cannot write ${join(out, first)} (ENOSPC)`);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout + stderr).not.toContain('internal error of the kit');
  });

  test('during a report names the file and the command to write it again', async () => {
    const { file, out } = await front();
    mkdirSync(join(folder, out));
    symlinkSync('/dev/full', join(folder, out, 'report.json'));
    const { code, stderr } = await conformance(['run', '--target', file, '--only', 'AUTH-01', '--out', out], here);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /^conformance: cannot write \S+report\.json \(ENOSPC\); free disk space .* conformance report \S+$/m,
    );
  });
});

test('the certificate of a server is trusted with --ca, for the doctor, too', async () => {
  const script = fileURLToPath(new URL('../support/tls-server.mjs', import.meta.url));
  const { front: service, file } = await front();
  let url = '';
  let end = () => {};
  const ready = new Promise<void>((resolve) => {
    void node([script, service.baseUrl], {
      onStart: (kill) => {
        end = () => kill('SIGKILL');
      },
      onOutput: (stdout) => {
        url = stdout.trim();
        if (stdout.endsWith('\n')) resolve();
      },
    });
  });
  onTestFinished(() => end());
  await ready;
  const told = await conformance(['doctor', '--target', file, '--base-url', url], here);
  expect([told.code, told.stderr]).toEqual([2, expect.stringContaining('give the authority with --ca FILE')]);
  const doctor = await conformance(['doctor', '--target', file, '--base-url', url, '--ca', authority], here);
  expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringContaining('yes, certificate trusted')]);
  const run = ['run', '--target', file, '--base-url', url, '--ca', authority, '--only', 'AUTH-01', '--out', 'secured'];
  expect((await conformance(run, here)).code).toBe(0);
});

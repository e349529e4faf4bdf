import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Diagnosis } from '../../../cli/doctor/diagnosis.ts';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import { freePort } from '../../engine/support/free-port.ts';
import { conformance, kindsIn, patient, reportIn, temporaryFolder } from '../support/command.ts';
import { startProxy } from '../support/proxy.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
const here = { cwd: folder };
const services: RunningReference[] = [];

/** A service for one test: runs that share a sandbox see each other's invoices. */
async function fresh(): Promise<RunningReference> {
  const service = await startReference();
  services.push(service);
  return service;
}

function targetFor(service: RunningReference, name: string, change: Record<string, unknown> = {}): string {
  writeFileSync(join(folder, name), stringify({ ...service.target, allow: { reset: false }, ...change }));
  return name;
}

afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  remove();
});

describe.concurrent('a target', () => {
  test('is not run for a selection of operations that it does not offer', async () => {
    const service = await fresh();
    const operations = {
      ...service.target.operations,
      treasuryWithdraw: 'not-offered',
      treasuryBalance: 'not-offered',
    };
    const file = targetFor(service, 'no-withdrawal.yaml', { operations });
    const { code, stderr } = await conformance(['run', '--target', file, '--only', 'TREAS-01', '--out', 'none'], here);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^conformance: --only: TREAS-01 names only checks of operations .* not-offered \(operations\.treasury\w+.*\); bind one of them, or name other checks$/m,
      ),
    ]);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  test('with only a base URL and one key pair is judged as far as possible, and the report names what is missing', async () => {
    const service = await fresh();
    const { key, secret } = service.target.actors.seller;
    const env = { CONFORMANCE_SELLER_KEY: key, CONFORMANCE_SELLER_SECRET: secret };
    const { code, stdout } = await conformance(['run', '--base-url', service.baseUrl, '--out', 'short'], {
      ...here,
      env,
    });
    const report = reportIn(join(folder, 'short'));
    expect([code, report.verdict]).toEqual([3, 'inconclusive']);
    expect(stdout).toMatch(
      /^inconclusive for profile full; not judged: reset \(not allowed\).*\. Nothing failed, but \d+ required checks are blocked/m,
    );
    const blocked = report.checks.filter(({ verdict }) => verdict === 'blocked');
    expect(blocked.length).toBeGreaterThan(0);
    for (const { id, reason, blockedBy } of blocked) {
      expect(reason, id).toMatch(/\S/);
      expect(blockedBy, id).toMatch(/of the target file$|^[A-Z]+-\d\d\./);
    }
    expect(report.summary.checks.pass).toBeGreaterThan(50);
    expect(report.excluded.map(({ reason }) => reason)).toContain('allow.reset of the target file is not true');
  });

  test('with a wrong secret of the seller is not judged: one line names the actor', async () => {
    const service = await fresh();
    const { seller } = service.target.actors;
    const wrong = { ...seller, secret: 'not-the-secret-of-the-seller' };
    const file = targetFor(service, 'wrong.yaml', { actors: { ...service.target.actors, seller: wrong } });
    const { code, stdout, stderr } = await conformance(['run', '--target', file, '--out', 'wrong'], here);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(/^conformance: actors\.seller: .*\(401\)/)]);
    expect(stderr).not.toContain(wrong.secret);
    expect(existsSync(join(folder, 'wrong', 'report.json'))).toBe(false);
  });

  test('that stops responding during the run leaves a complete report of the earlier checks', async () => {
    const service = await fresh();
    let dead = false;
    const proxy = await startProxy(service.baseUrl, {
      onRequest: (count) => {
        dead ||= count > 300;
        return !dead;
      },
    });
    const file = targetFor(service, 'dying.yaml', { baseUrl: proxy.baseUrl });
    const { code, stdout, stderr } = await conformance(['run', '--target', file, '--out', 'dying'], here);
    await proxy.close();
    const report = reportIn(join(folder, 'dying'));
    const failed = report.checks.filter(({ verdict }) => verdict === 'fail');
    expect([code, failed.map(({ id }) => id)], stderr).toEqual([3, []]);
    expect(report.checks.some(({ verdict }) => verdict === 'pass')).toBe(true);
    expect(report.checks.filter(({ blockedBy }) => blockedBy === 'target').length).toBeGreaterThan(0);
    expect(report.checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    expect(kindsIn(join(folder, 'dying')).at(-1)).toBe('footer');
    expect(stdout).toMatch(/stopped responding at 20/);
  });

  test('is cleaned up when the run is stopped, and the report shows the interruption', async () => {
    const service = await fresh();
    let interrupt = () => {};
    const proxy = await startProxy(service.baseUrl, {
      onRequest: (count) => {
        if (count === 200) interrupt();
        return true;
      },
    });
    const file = targetFor(service, 'stopped.yaml', { baseUrl: proxy.baseUrl });
    const onStart = (kill: (signal: NodeJS.Signals) => void) => {
      interrupt = () => kill('SIGINT');
    };
    const { code, stderr } = await conformance(['run', '--target', file, '--out', 'stopped'], { ...here, onStart });
    await proxy.close();
    const report = reportIn(join(folder, 'stopped'));
    expect([code, report.verdict], stderr).toEqual([3, 'inconclusive']);
    expect(report.run.interrupted).toMatch(/stopped/);
    expect(report.checks.some(({ executed }) => !executed)).toBe(true);
    expect(kindsIn(join(folder, 'stopped')).at(-1)).toBe('footer');
    expect(stderr).toContain('Stopping: no new requests');
    // An invoice whose request was under way at the stop may be in another state; everything else was cleaned up.
    const untouched = report.leftovers.filter(
      ({ what, reason }) => /DRAFT|SUBMITTED/.test(what) && !/^(delete|cancel) was rejected with 4/.test(reason),
    );
    expect(untouched).toEqual([]);
  });

  test('receives only reads in a run that only reads', async () => {
    const service = await fresh();
    const methods = new Set<string>();
    const file = targetFor(service, 'reading.yaml');
    const { code } = await conformance(['run', '--target', file, '--profile', 'read-only', '--out', 'reading'], here);
    for (const line of readFileSync(join(folder, 'reading', 'evidence.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')) {
      const record = JSON.parse(line) as { kind: string; request?: { method: string } };
      if (record.request) methods.add(record.request.method);
    }
    expect([...methods]).toEqual(['GET']);
    expect(reportIn(join(folder, 'reading')).checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    expect([0, 3]).toContain(code);
  });
});

describe.concurrent('the doctor', () => {
  test('reports that no delivery to webhooks.publicUrl arrives', async () => {
    const webhooks = { listen: `127.0.0.1:${await freePort()}`, publicUrl: 'http://127.0.0.1:9/hooks' };
    const file = targetFor(await fresh(), 'unreached.yaml', { webhooks });
    const { code, stdout } = await conformance(['doctor', '--target', file, '--probe'], here);
    expect(stdout).toMatch(
      /delivery .*webhooks\.publicUrl: a request to http:\/\/127\.0\.0\.1:9\/hooks does not arrive/,
    );
    expect(code).toBe(3);
  });

  test('rejects a public URL with a port that differs in each run', async () => {
    const webhooks = { listen: '127.0.0.1:0', publicUrl: 'https://hooks.example' };
    const file = targetFor(await fresh(), 'varying.yaml', { webhooks });
    const { code, stdout } = await conformance(['doctor', '--target', file], here);
    expect(stdout).toMatch(/^wrong +webhooks\.listen: .*; write the port that publicUrl forwards to$/m);
    expect(code).toBe(2);
  });

  test('verifies a target file, judges nothing and lists the fields of blocked checks', async () => {
    const service = await fresh();
    const { outsider: _, ...actors } = service.target.actors;
    const file = targetFor(service, 'proved.yaml', { actors });
    const { code, stdout } = await conformance(['doctor', '--target', file], here);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^actor +seller +list returned 200, as expected; organization \S+ \(from target file\)$/m);
    expect(stdout).toMatch(/^actor +revoked +list returned 401, as expected/m);
    expect(stdout).toMatch(
      /^note +actors\.revoked: .* as it rejects a key that never existed; the kit cannot tell the two apart/m,
    );
    expect(stdout).toMatch(/^operation +approve +POST \S+ +not tried \(use --probe\)$/m);
    expect(stdout).toMatch(/^operation +read +GET \S+ +seller 200 {2}ok$/m);
    expect(stdout).toMatch(/^blocked +\d+ checks: actors\.outsider: give key and secret$/m);
    expect(stdout).toMatch(/^left out +\d+ checks?: allow\.reset is not true$/m);
    expect(stdout).toMatch(
      /^\d+ of \d+ checks of the full profile can run against this target; at least \d+ would be blocked, \d+ are left out$/m,
    );
  });

  test('doubts a revoked key that the server accepts', async () => {
    const service = await fresh();
    const { readOnly: live, ...others } = service.target.actors;
    const file = targetFor(service, 'live.yaml', { actors: { ...others, revoked: live } });
    const { stdout } = await conformance(['doctor', '--target', file, '--profile', 'smoke'], here);
    expect(stdout).toMatch(/^doubtful +actors\.revoked: the server accepts this key; write a key that was revoked/m);
    expect(stdout).not.toMatch(/^ready$/m);
    const args = ['run', '--target', file, '--only', 'AUTH-04', '--out', 'live', '--quiet'];
    const judged = await conformance(args, here);
    expect(judged.stderr).toMatch(/^actors\.revoked: the server accepts this key; write a key that was revoked/);
    expect(judged.code).toBe(1);
  });

  test('doubts a not-offered operation that the server has, and a run names it first', async () => {
    const service = await fresh();
    const operations = { ...service.target.operations, dispute: 'not-offered' };
    const file = targetFor(service, 'offered.yaml', { operations });
    const line =
      'operations\\.dispute: is declared not-offered, but POST /api/v1/invoices/\\{id\\}/dispute returns 404 INV001';
    const args = ['run', '--target', file, '--only', 'CREATE-13', '--out', 'offered', '--quiet'];
    expect((await conformance(args, here)).stderr).toMatch(new RegExp(`^${line}`));
    const { stdout } = await conformance(['doctor', '--target', file, '--profile', 'smoke'], here);
    expect(stdout).not.toContain('operations.dispute: is declared');
  });

  test('counts no checks of an actor whose key the server rejects', async () => {
    const service = await fresh();
    const { outsider } = service.target.actors;
    const actors = { ...service.target.actors, outsider: { ...outsider, secret: 'mistyped' } };
    const file = targetFor(service, 'rejected.yaml', { actors });
    const { code, stdout } = await conformance(['doctor', '--target', file], here);
    expect(stdout).toMatch(
      /^blocked +\d+ checks: actors\.outsider: the server rejects this key and secret \(401\); correct them$/m,
    );
    expect(code).toBe(3);
  });

  test('names a read operation that the target does not know', async () => {
    const service = await fresh();
    const operations = { ...service.target.operations, read: { method: 'GET', path: '/api/v1/invoice/{id}' } };
    const file = targetFor(service, 'misread.yaml', { operations });
    const { stdout, code } = await conformance(['doctor', '--target', file], here);
    expect(stdout).toMatch(
      /^operation +read +GET \S+ +seller 404 {2}operations\.read: .*; correct its method or path$/m,
    );
    expect(stdout).toMatch(/^blocked +\d+ checks: operations\.read: GET \S+ returns 404/m);
    expect(code).toBe(3);
  });

  test('calls every bound operation once with --probe and removes the created items', async () => {
    const service = await fresh();
    const file = targetFor(service, 'probed.yaml');
    const { stdout, code } = await conformance(['doctor', '--target', file, '--probe', '--json'], here);
    const { operations, problems, leftovers } = JSON.parse(stdout) as Diagnosis;
    const tried = operations.filter(({ declared }) => declared === 'bound' || declared === 'in the contract');
    expect(tried.filter(({ as, problem }) => as === null || problem !== null)).toEqual([]);
    expect(tried.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['create', 'read', 'settle', 'delete', 'treasuryWithdraw', 'webhookCreate', 'delivery']),
    );
    expect([code, problems]).toEqual([0, []]);
    expect(leftovers).not.toContainEqual(expect.stringContaining('invoice DRAFT'));
  });

  test('prints the problems of an unreadable file as JSON with --json', async () => {
    writeFileSync(join(folder, 'broken.yaml'), 'baseURL: http://127.0.0.1:1\n');
    const { stdout, code } = await conformance(['doctor', '--target', 'broken.yaml', '--json'], here);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      exitCode: 2,
      problems: expect.arrayContaining([expect.stringContaining('did you mean baseUrl?')]),
    });
  });

  test('names every wrong binding at once with --probe', async () => {
    const service = await fresh();
    const { operations: bound } = service.target;
    const operations = {
      ...bound,
      cancel: { ...bound.cancel, path: '/api/v1/invoices/{id}/void' },
      dispute: { ...bound.dispute, body: { because: '{text}' } },
      treasuryWithdraw: { ...bound.treasuryWithdraw, body: { amount: '25.00' } },
    };
    const file = targetFor(service, 'misbound.yaml', { operations });
    const { stdout, code } = await conformance(['doctor', '--target', file, '--probe'], here);
    expect(stdout).toMatch(
      /^operation +cancel .*operations\.cancel: POST \S+void returns 404 .*; correct its method or path$/m,
    );
    expect(stdout).toMatch(
      /^operation +dispute .*operations\.dispute: .* is rejected with 400: .*; correct its body$/m,
    );
    expect(stdout).toMatch(/^operation +treasuryWithdraw .* contains no \{amount\}/m);
    expect(code).toBe(3);
  });

  test('rejects a key that the target does not know', async () => {
    const service = await fresh();
    const buyer = { ...service.target.actors.buyer, key: 'svc_sand_unknown' };
    const file = targetFor(service, 'refused.yaml', { actors: { ...service.target.actors, buyer } });
    const { code, stdout } = await conformance(['doctor', '--target', file], here);
    expect([code, stdout]).toEqual([2, expect.stringMatching(/^wrong +actors\.buyer: .*\(401\)/m)]);
  });
});

/** Starts the command and resolves with its target file when the service listens. */
async function startCommand(...options: string[]) {
  let end = () => {};
  onTestFinished(() => end());
  const ready = new Promise<{ text: string; finished: ReturnType<typeof conformance> }>((resolve) => {
    const finished = conformance(['reference', ...options], {
      onStart: (kill) => {
        end = () => kill('SIGINT');
      },
      onOutput: (text, stderr) => {
        if (stderr.includes('listens at')) resolve({ text, finished });
      },
    });
  });
  const { text, finished } = await ready;
  return { text, finished, end: () => end() };
}

test('the command reference gives the service the defects that it names', async () => {
  const { text } = await startCommand('--fault', 'life-approved-cancel-allowed,rec-due-date-timestamp');
  const file = join(folder, 'broken.yaml');
  writeFileSync(file, text);
  const only = ['--only', 'LIFE-02.approved-cancel,REC-08.due-date,LIST-01.items', '--out', join(folder, 'broken')];
  const { code, stdout } = await conformance(['run', '--target', file, ...only]);
  expect(stdout.match(/^FAIL \S+/gm)?.toSorted()).toEqual(['FAIL LIFE-02.approved-cancel', 'FAIL REC-08.due-date']);
  expect(code).toBe(1);
});

test('the command reference prints a working target file and serves until it is ended', async () => {
  const { text, finished, end } = await startCommand();
  const { baseUrl, actors } = parse(text) as RunningReference['target'];
  const { key, secret } = actors.seller;
  const headers = { 'X-API-Key': key, 'X-API-Secret': secret };
  expect((await fetch(`${baseUrl}/api/v1/invoices`, { headers })).status).toBe(200);
  end();
  expect((await finished).code).toBe(0);
});

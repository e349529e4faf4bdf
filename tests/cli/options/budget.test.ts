import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startReference } from '../../../reference/service/start.ts';
import { allVariations } from '../../../reference/variations/all.ts';
import { conformance, patient, reportIn, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);

describe('--budget', () => {
  it('sends at most this number of requests and ends with passed', async () => {
    const out = join(folder, 'small');
    const { code, stdout } = await conformance(['run', '--budget', '300', '--out', out]);
    const report = reportIn(out);
    expect({ code, verdict: report.verdict, budget: report.run.budget }).toEqual({
      code: 0,
      verdict: 'passed',
      budget: 300,
    });
    expect(report.summary.exchanges).toBeLessThanOrEqual(300);
    expect(report.summary.checks.pass).toBeGreaterThan(80);
    expect(report.checks.find(({ id }) => id === 'LIFE-12.final')?.verdict, 'a check at the end of the run').toBe(
      'pass',
    );
    expect(report.summary.checks.blocked, 'by the budget').toBeLessThan(5);
    expect(stdout).toContain('within 300 requests');
    for (const { verdict, blockedBy } of report.checks) if (verdict === 'blocked') expect(blockedBy).toBe('--budget');
    expect(report.leftovers.filter(({ what }) => /DRAFT|SUBMITTED|DISPUTED|subscription/.test(what))).toEqual([]);
  });

  it('blocks the checks for which a server that needs more requests leaves none', async () => {
    const slow = allVariations.find(({ id }) => id === 'lists-lag') ?? expect.fail('no variation lists-lag');
    const server = await startReference(slow);
    onTestFinished(() => server.close());
    const target = join(folder, 'slow.json');
    writeFileSync(target, JSON.stringify(slow.target ? slow.target(server.target) : server.target));
    const out = join(folder, 'slow');
    const { code, stdout } = await conformance(['run', '--target', target, '--budget', '200', '--out', out]);
    const report = reportIn(out);
    const blocked = report.checks.filter(({ verdict }) => verdict === 'blocked');
    expect({ code, verdict: report.verdict }).toEqual({ code: 0, verdict: 'passed' });
    expect(report.summary.exchanges).toBeLessThanOrEqual(200);
    expect(new Set(blocked.map(({ blockedBy }) => blockedBy))).toEqual(new Set(['--budget']));
    expect(stdout).toMatch(/^BLOCKED \d+ checks? by --budget$/m);
  });

  it('that suffices for no check is rejected with the least number', async () => {
    const { code, stderr } = await conformance(['run', '--budget', '10', '--out', join(folder, 'none')]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^conformance: --budget: found 10, which suffices for no check; write \d+ or more\n$/,
      ),
    });
  });
});

import { expect, test } from 'vitest';
import { type Phase, Phases } from '../../../engine/scheduling/phases.ts';

/** The phases of a run with these checks, and the log of their begins and ends. */
async function started(checks: readonly Phase[]) {
  const log: string[] = [];
  const phases = new Phases(checks, async (phase) => {
    log.push(`${phase} ended`);
  });
  for (const phase of new Set(checks)) void phases.waitForPhase(phase).then(() => log.push(`${phase} began`));
  phases.start();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  await settle();
  return { phases, log, settle };
}

test('a phase begins when every check of the earlier ones has ended', async () => {
  const { phases, log, settle } = await started(['main', 'main', 'late']);
  phases.markCheckEnded('main');
  await settle();
  expect(log).toEqual(['main began']);
  phases.markCheckEnded('main');
  await settle();
  expect(log).toEqual(['main began', 'main ended', 'late began']);
});

test('a check that only waits does not hold up the late phase, which ends with it', async () => {
  const { phases, log, settle } = await started(['main', 'main', 'late', 'reset']);
  phases.moveToLatePhase();
  phases.markCheckEnded('main');
  await settle();
  expect(log).toEqual(['main began', 'main ended', 'late began']);
  phases.markCheckEnded('late');
  await settle();
  expect(log).not.toContain('late ended');
  phases.markCheckEnded('late');
  await settle();
  expect(log.slice(3)).toEqual(['late ended', 'custom ended', 'flood ended', 'reset began']);
});

test('a check may move to a late phase that has no checks of its own', async () => {
  const { phases, log, settle } = await started(['main', 'closing']);
  phases.moveToLatePhase();
  await settle();
  expect(log).toEqual(['main began', 'main ended']);
  phases.markCheckEnded('late');
  await settle();
  expect(log).toContain('closing began');
});

test('a check that moved to the late phase and ends before that phase begins ends no phase', async () => {
  const { phases, log, settle } = await started(['main', 'main', 'closing']);
  phases.moveToLatePhase();
  phases.markCheckEnded('late');
  await settle();
  expect(log).toEqual(['main began']);
  phases.markCheckEnded('main');
  await settle();
  expect(log).toEqual([
    'main began',
    'main ended',
    'late ended',
    'custom ended',
    'flood ended',
    'reset ended',
    'production-reset ended',
    'closing began',
  ]);
});

import { expect, test } from 'vitest';
import { RunLedger } from '../../../engine/ledger/run-ledger.ts';
import type { RunContext } from '../../../engine/run/run-context.ts';
import { effectWaitMs, hiddenEffectWaitMs, recordEffectWait } from '../../../helpers/assert/poll.ts';

const KIND = 'shows SUBMITTED';
const LIMIT_MS = 5000;
const run = () => ({ ledger: new RunLedger() }) as RunContext;
const missing = { tookMs: LIMIT_MS, isMet: false, limitMs: LIMIT_MS };

test('a change is awaited for the whole limit until one has been missing', () => {
  const some = run();
  expect(effectWaitMs(some, KIND, LIMIT_MS)).toBe(LIMIT_MS);
  recordEffectWait(some, KIND, { tookMs: 20, isMet: true, limitMs: LIMIT_MS });
  expect(effectWaitMs(some, KIND, LIMIT_MS)).toBe(LIMIT_MS);
  recordEffectWait(some, KIND, missing);
  expect(effectWaitMs(some, KIND, LIMIT_MS)).toBe(500);
});

test('a wait that was shorter than the limit does not count as missing', () => {
  const some = run();
  recordEffectWait(some, KIND, { tookMs: 500, isMet: false, limitMs: LIMIT_MS });
  expect(effectWaitMs(some, KIND, LIMIT_MS)).toBe(LIMIT_MS);
});

test('a server with late effects is given three times its longest delay', () => {
  const some = run();
  recordEffectWait(some, KIND, missing);
  recordEffectWait(some, KIND, { tookMs: 900, isMet: true, limitMs: LIMIT_MS });
  expect(effectWaitMs(some, KIND, LIMIT_MS)).toBe(2700);
  recordEffectWait(some, KIND, { tookMs: 4000, isMet: true, limitMs: LIMIT_MS });
  expect(effectWaitMs(some, KIND, LIMIT_MS)).toBe(LIMIT_MS);
});

test('a server that shows other changes late is given three times the longest delay of these', () => {
  const some = run();
  recordEffectWait(some, 'lists a new invoice', { tookMs: 900, isMet: true, limitMs: LIMIT_MS });
  recordEffectWait(some, KIND, missing);
  expect(effectWaitMs(some, KIND, LIMIT_MS)).toBe(2700);
});

test('kinds and runs are independent of each other', () => {
  const some = run();
  recordEffectWait(some, KIND, missing);
  expect(effectWaitMs(some, 'shows CANCELLED', LIMIT_MS)).toBe(LIMIT_MS);
  expect(effectWaitMs(run(), KIND, LIMIT_MS)).toBe(LIMIT_MS);
});

test('a hidden change is given three times the longest delay, and the limit before one has shown or after one was missing', () => {
  const some = run();
  expect(hiddenEffectWaitMs(some, KIND, LIMIT_MS)).toBe(LIMIT_MS);
  recordEffectWait(some, KIND, { tookMs: 900, isMet: true, limitMs: LIMIT_MS });
  expect(hiddenEffectWaitMs(some, KIND, LIMIT_MS)).toBe(2700);
  recordEffectWait(some, KIND, missing);
  expect(hiddenEffectWaitMs(some, KIND, LIMIT_MS)).toBe(LIMIT_MS);
});

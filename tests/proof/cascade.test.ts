import { describe, expect, test } from 'vitest';
import { buildCascade, type ExaminedFault } from '../../cli/prove/cascade/cascade.ts';
import type { CheckOutcome } from '../../cli/prove/judge-server.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

const word = (id: CheckId, verdict: CheckOutcome['verdict']): CheckOutcome => ({
  id,
  verdict,
  reason: `${id}!`,
  actual: '',
  blockedBy: null,
});
const honest = { judged: [], durationMs: 1000, requests: 100 };

function examined(id: string, red: readonly CheckId[], durationMs = 1000): ExaminedFault {
  return {
    fault: { id, requirement: 'LIST-01', caughtBy: ['LIST-01.items', 'LIST-02.total'] },
    judged: [word('AUTH-02.unknown', 'pass'), ...red.map((each) => word(each, 'fail'))],
    durationMs,
    requests: 100,
  };
}

describe('the other requirements that a fault turns red', () => {
  test('are counted by requirement, except those of the checks that the fault names', () => {
    const [row] =
      buildCascade(
        [examined('one', ['LIST-01.items', 'LIST-02.counts-creations', 'LIST-04.page', 'LIST-04.ascending'])],
        [honest],
      )?.faults ?? [];
    expect(row).toMatchObject({ own: ['LIST-01', 'LIST-02'], beside: ['LIST-04'] });
    expect(row?.said.map(({ check }) => check)).toEqual(['LIST-04.page', 'LIST-04.ascending']);
  });

  test('include warnings, and the worst come first', () => {
    const warned = { ...examined('warned', []), judged: [word('REC-16.created-at' as CheckId, 'warn')] };
    const known = { ...warned, judged: [word('LIST-07.amount-desc', 'warn')] };
    const found = buildCascade([examined('quiet', ['LIST-01.items']), known], [honest]);
    expect(found?.faults.map(({ fault, beside }) => [fault, beside])).toEqual([
      ['warned', ['LIST-07']],
      ['quiet', []],
    ]);
    expect(found).toMatchObject({ median: 2, most: 2 });
  });

  test('are shown with the time relative to the median of the conforming servers', () => {
    const servers = [honest, { ...honest, durationMs: 2000 }, { ...honest, durationMs: 9000 }];
    const found = buildCascade([examined('slow', ['LIST-01.items'], 7000)], servers);
    expect(found).toMatchObject({ honest: { durationMs: 2000 }, slowestRatio: 3.5 });
  });

  test('are not shown without a conforming server to compare with', () => {
    expect(buildCascade([examined('one', [])], [])).toBeNull();
  });
});

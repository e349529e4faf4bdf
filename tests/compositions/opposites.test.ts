import { describe, expect, test } from 'vitest';
import { areCompatible } from '../../cli/prove/compatibility.ts';
import { judgeServer } from '../../cli/prove/judge-server.ts';
import { checksNotPassed } from '../../cli/prove/proof-result.ts';
import type { Variation } from '../../reference/overrides/server-overrides.ts';
import { allVariations } from '../../reference/variations/all.ts';
import { composeOverrides } from '../../reference/variations/support/compose.ts';
import { openPoints } from '../../specs/contract/open-points.ts';
import { opposites } from './servers.ts';

/** In the order in which variations can be composed. */
function variationsOf(ids: readonly string[]): Variation[] {
  return allVariations.filter(({ id }) => ids.includes(id));
}

const taken = new Set<string>(
  Object.values(opposites).flatMap((ids) => variationsOf(ids).map(({ openPoint }) => openPoint)),
);

describe.concurrent.each(Object.entries(opposites))('%s', (name, ids) => {
  test('is made of variations that exist and do not contradict each other', () => {
    const found = variationsOf(ids);
    expect(found.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const apart = found.flatMap((one, at) =>
      found.slice(at + 1).flatMap((other) => (areCompatible(one, other) ? [] : [`${one.id} and ${other.id}`])),
    );
    expect(apart).toEqual([]);
  });

  // The slow server takes about a minute, and several on a busy machine.
  test('passes every check', { timeout: 600_000 }, async () => {
    const judged = await judgeServer(composeOverrides(variationsOf(ids)));
    expect(checksNotPassed(judged)).toEqual([]);
    // A server must not pass because its checks are not applicable.
    const passed = judged.filter(({ verdict }) => verdict === 'pass').length;
    expect(passed).toBeGreaterThan(name === 'a server that hides much' ? judged.length / 2 : judged.length * 0.7);
  });
});

test('every open point has a variation there, or a reason why no server can show it', () => {
  expect(openPoints.filter(({ id, unexercised }) => !taken.has(id) && !unexercised).map(({ id }) => id)).toEqual([]);
});

test('the second server differs in most of the points in which the others do', () => {
  const second = variationsOf(opposites['the second server'] ?? []);
  expect(second.length).toBeGreaterThan(taken.size * 0.75);
});

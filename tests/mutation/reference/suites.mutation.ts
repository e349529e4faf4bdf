import { expect, test } from 'vitest';
import { judgeServer } from '../../../cli/prove/judge-server.ts';
import { NOT_JUDGED } from '../../../scripts/mutation/not-judged.ts';
import { checksOfProfile } from '../../../specs/catalogue/selection.ts';

// The small profile detects most mutants, and Stryker stops at the first test that fails.
test.each(['smoke', 'full'])('the suites find no breach with the profile %s', async (profile) => {
  const judged = await judgeServer({}, checksOfProfile(profile));
  const breaches = judged.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  expect(breaches.map(({ id, actual }) => `${id}: ${actual}`)).toEqual([]);
  // The whole profile may find what keeps the small one from being judged.
  if (profile === 'smoke') return;
  // scripts/mutation/reference.ts recognises a server that breaks too much to be judged by this text.
  const unjudged = judged.filter(({ verdict }) => verdict === 'blocked' || verdict === 'error');
  expect(unjudged.length, NOT_JUDGED).toBe(0);
});

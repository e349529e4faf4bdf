import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { profileCostFor } from '../../specs/catalogue/profile-costs.ts';
import { profileNames } from '../../specs/catalogue/selection.ts';

const page = readFileSync(new URL('../../docs/what-a-run-sends.md', import.meta.url), 'utf8');

test.for(profileNames)('the table shows the requests and leftovers of the profile %s', (name) => {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``));
  const [requests = '', , , left] =
    row
      ?.split('|')
      .slice(2)
      .map((cell) => cell.trim()) ?? [];
  const { requests: predicted, leftovers } = profileCostFor(name);
  const kinds = (['invoices', 'withdrawals'] as const).filter((kind) => leftovers[kind] > 0);
  expect(left).toBe(kinds.map((kind) => `${leftovers[kind]} ${kind}`).join(', ') || 'none');
  expect(Math.abs(Number(requests.replace(',', '')) / predicted.everybody - 1)).toBeLessThan(0.05);
});

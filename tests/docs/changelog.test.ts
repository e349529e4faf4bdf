import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const MAX_LINES = 60;

it('each release of the changelog fits a page', () => {
  const text = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const [, ...releases] = text.split(/^## /m);
  expect(releases.length).toBeGreaterThan(0);
  for (const release of releases)
    expect(release.trim().split('\n').length, release.slice(0, 40)).toBeLessThanOrEqual(MAX_LINES);
});

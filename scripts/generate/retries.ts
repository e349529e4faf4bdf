import { readFileSync, writeFileSync } from 'node:fs';
import { retryRules } from '../../engine/http/retry-rules.ts';
import { withSection } from '../markdown-section.ts';

const PAGE = new URL('../../docs/real-networks.md', import.meta.url);
const BEGIN = '<!-- retries: written by npm run generate -->';
const END = '<!-- /retries -->';

/** The page with the table of all retries. */
export function withRetries(page: string): string {
  const rows = retryRules.map(({ result, times, waits }) => `| ${result} | ${retriesText(times)} | ${waits} |`);
  const table = [
    '| result | retries | the kit waits |',
    '| --- | --- | --- |',
    ...rows,
    '| any other status | none | |',
  ];
  return withSection(page, BEGIN, END, table.join('\n'));
}

function retriesText(times: number): string {
  if (times === Number.POSITIVE_INFINITY) return 'until the limit ends';
  return times === 1 ? 'one' : `up to ${times}`;
}

export function writeRetries(): void {
  writeFileSync(PAGE, withRetries(readFileSync(PAGE, 'utf8')));
}

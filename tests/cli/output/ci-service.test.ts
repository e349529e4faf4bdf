import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { formatsFor, githubLines } from '../../../cli/output/ci-service.ts';
import { everyCheck, reportWith, result } from '../../reporting/journal/journal-builders.ts';

const [first = ''] = everyCheck;

test('on GitLab CI, a run also writes the code-quality report', () => {
  expect(formatsFor(['html'], { GITLAB_CI: 'true' })).toEqual(['html', 'gitlab']);
  expect(formatsFor(['gitlab'], { GITLAB_CI: 'true' })).toEqual(['gitlab']);
  expect(formatsFor(['html'], {})).toEqual(['html']);
});

test('on GitHub Actions, a run prints annotations and appends the summary to the job page', async () => {
  const report = await reportWith(result(first, 'fail'));
  const folder = mkdtempSync(join(tmpdir(), 'kit-github-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const page = join(folder, 'summary');
  writeFileSync(page, 'earlier step\n');
  const lines = githubLines(report, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page });
  expect(lines).toEqual([expect.stringMatching(/^::error title=AUTH-01/)]);
  expect(readFileSync(page, 'utf8')).toMatch(/^earlier step\n# Non-conformant/);
});

test('a job page that cannot be written is a warning', async () => {
  const lines = githubLines(await reportWith(), { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '/nonexistent/page' });
  expect(lines).toEqual(['::warning::The summary cannot be written to GITHUB_STEP_SUMMARY (ENOENT).']);
});

test('elsewhere, a run prints no annotation', async () => {
  expect(githubLines(await reportWith(result(first, 'fail')), {})).toEqual([]);
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { isSameTarget } from '../../reporting/compare/same-target.ts';
import { changeDetails, changeLine } from '../../reporting/history/change-text.ts';
import { compareNights } from '../../reporting/history/compare-nights.ts';
import { renderHistory } from '../../reporting/history/history-page.tsx';
import { nightOf } from '../../reporting/history/nights.ts';
import { unlikeRuns } from '../../reporting/history/unlike-runs.ts';
import { escapeForLog } from '../../reporting/text/escape-control-characters.ts';
import { requirements } from '../../specs/catalogue/catalogue.ts';
import type { Night } from '../../specs/formats/night.ts';
import { NIGHT_FILE, nightFolders, readNight } from '../earlier-runs/night-file.ts';
import { readRunReport } from '../earlier-runs/run-report.ts';
import { readRunVerdicts } from '../earlier-runs/run-verdicts.ts';
import { nonEmptyParser } from '../options/option-values.ts';
import { reportAddress, writePage } from '../output/page-file.ts';

interface DiffOptions {
  json: boolean;
  html?: string;
}

export const diffCommand = new Command('diff')
  .description('say what changed between two runs: failures, coverage, unspecified behaviour, the kit, the server')
  .argument('<old>', 'folder of the earlier run, also one of a history', nonEmptyParser('name the folder of a run'))
  .argument('<new>', 'folder of the later run', nonEmptyParser('name the folder of a run'))
  .addOption(new Option('--json', 'print JSON').default(false).conflicts('html'))
  .option('--html <file>', 'write a page with both runs side by side', nonEmptyParser('name an HTML file'))
  .addHelpText(
    'after',
    '\nExamples:\n  $ conformance diff reports/monday reports/tuesday\n  $ conformance diff reports/monday reports/tuesday --json\n  $ conformance diff reports/monday reports/tuesday --html diff.html',
  )
  .action(async (older: string, newer: string, { json, html }: DiffOptions) => {
    const [before, now] = [await openNight(older, '<old>'), await openNight(newer, '<new>')];
    if (!isSameTarget(before.target, now.target))
      throw new ConfigurationError(
        `<new>: ${newer} judges ${now.target.name} (${now.target.baseUrl}), but ${older} judges ${before.target.name} (${before.target.baseUrl}); name two runs of one target`,
      );
    for (const line of unlikeRuns({ folder: older, night: before }, { folder: newer, night: now }))
      console.error(`Note: ${escapeForLog(line)}.`);
    const changes = compareNights([before], now);
    if (json) return console.log(JSON.stringify(changes, null, 2));
    if (html !== undefined) {
      const nights = [
        { night: before, report: reportAddress(older, html) },
        { night: now, report: reportAddress(newer, html) },
      ];
      writePage(html, renderHistory({ nights, changes, requirements, isComparison: true }));
    }
    for (const line of [changeLine(changes), ...changeDetails(changes)]) console.log(escapeForLog(line));
  });

/** The run of a folder. Rejects with a ConfigurationError if it contains no readable run. */
async function openNight(folder: string, argument: string): Promise<Night> {
  if (existsSync(join(folder, NIGHT_FILE))) return readNight(folder, argument);
  const last = nightFolders(folder).at(-1);
  if (last !== undefined)
    throw new ConfigurationError(
      `${argument}: ${folder} is a history; name one of its runs, such as ${join(folder, last)}`,
    );
  const { header } = await readRunVerdicts(folder, argument);
  const report = await readRunReport(folder, argument);
  return nightOf(report, header.catalogue.requirements);
}

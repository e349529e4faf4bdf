import { Command, Option } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { compareRuns } from '../../reporting/compare/compare-runs.ts';
import { type ComparedRun, comparedRunOf } from '../../reporting/compare/compared-run.ts';
import { renderComparison } from '../../reporting/compare/comparison-page.tsx';
import { comparisonLines } from '../../reporting/compare/comparison-text.ts';
import { escapeForLog, escapeJson } from '../../reporting/text/escape-control-characters.ts';
import { readRunReport } from '../earlier-runs/run-report.ts';
import { nonEmptyParser } from '../options/option-values.ts';
import { reportAddress, writePage } from '../output/page-file.ts';

const ARGUMENT = '<run>';

export const compareCommand = new Command('compare')
  .description('compare the runs of several implementations: verdicts and unspecified behaviour')
  .argument(
    '<run...>',
    'folders of two or more runs, usually of different servers',
    (run: string, before: string[] = []) => [...before, nonEmptyParser('name the folder of a run')(run)],
  )
  .addOption(new Option('--json', 'print JSON').default(false).conflicts('html'))
  .option('--html <file>', 'write a page with all runs side by side', nonEmptyParser('name an HTML file'))
  .addHelpText(
    'after',
    '\nExamples:\n  $ conformance compare reports/acme reports/umbrella\n  $ conformance compare reports/acme reports/umbrella --json\n  $ conformance compare reports/* --html compare.html',
  )
  .action(async (folders: string[], { json, html }: { json: boolean; html?: string }) => {
    if (folders.length < 2)
      throw new ConfigurationError(
        `${ARGUMENT}: found only ${folders.join('')}; write the folders of two or more runs`,
      );
    const runs = await readRuns(folders);
    const comparison = compareRuns(runs);
    if (json) return console.log(escapeJson(JSON.stringify(comparison, null, 2)));
    if (html !== undefined) {
      const reports = folders.map((folder) => reportAddress(folder, html));
      writePage(html, renderComparison(comparison, reports));
    }
    for (const line of comparisonLines(comparison)) console.log(escapeForLog(line));
  });

/** One after another, because the evidence of a run needs much memory. Rejects with a ConfigurationError. */
async function readRuns(folders: readonly string[]): Promise<ComparedRun[]> {
  const folderOf = new Map<string, string>();
  const runs: ComparedRun[] = [];
  for (const folder of folders) {
    const run = comparedRunOf(await readRunReport(folder, ARGUMENT));
    const earlier = folderOf.get(run.run.id);
    if (earlier !== undefined)
      throw new ConfigurationError(
        `${ARGUMENT}: ${folder} ${earlier === folder ? 'is named twice' : `is the same run as ${earlier}`}; write each run once`,
      );
    folderOf.set(run.run.id, folder);
    runs.push(run);
  }
  return runs;
}

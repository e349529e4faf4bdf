import { join } from 'node:path';
import { consoleSummary } from '../../reporting/formats/console.ts';
import { formats } from '../../reporting/formats/formats.ts';
import { changeLine } from '../../reporting/history/change-text.ts';
import { escapeForLog } from '../../reporting/text/escape-control-characters.ts';
import { targetArguments } from '../options/target-options.ts';
import { formatsFor, githubLines } from '../output/ci-service.ts';
import { hasColors } from '../output/terminal.ts';
import { commandLine } from '../processes/invocation.ts';
import { type FinishedRun, progressDetail } from './execute-run.ts';
import type { RunRequest } from './run-request.ts';

/** Prints the result of a run; the line about the history is the last one. */
export function printRunSummary({ report, folder, history, problems }: FinishedRun, request: RunRequest): void {
  const { options, isEmbedded } = request;
  const hasPage = formatsFor(options.format).includes('html');
  const targetOptions = isEmbedded ? [] : targetArguments(options);
  process.stdout.write(
    consoleSummary(report, {
      color: hasColors(process.stdout),
      width: process.stdout.columns ?? 120,
      reportPath: join(folder, hasPage ? formats.html.file : formats.json.file),
      toCommand: (subcommand, rest) => commandLine([subcommand, ...targetOptions, ...rest]),
      isBrief: progressDetail(options) === 'quiet',
    }),
  );
  for (const line of githubLines(report)) console.log(line);
  if (history) console.log(`history page ${history.page}\nhistory ${escapeForLog(changeLine(history.changes))}`);
  for (const problem of problems) console.error(`conformance: ${problem}`);
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { changeDetails, changeLine } from '../../reporting/history/change-text.ts';
import { compareNights } from '../../reporting/history/compare-nights.ts';
import { nightOf } from '../../reporting/history/nights.ts';
import { readJournal } from '../../reporting/journal/read-journal.ts';
import { buildReport } from '../../reporting/report/build-report.ts';
import { isSameTarget } from '../../reporting/report/same-target.ts';
import { escapeForLog } from '../../reporting/text/escape-control-characters.ts';
import type { Night } from '../../specs/night.ts';
import { readRunVerdicts } from '../earlier-runs/run-verdicts.ts';
import { NIGHT_FILE, readNight } from '../history/night-file.ts';
import { nonEmptyParser } from '../options/option-values.ts';

export const diffCommand = new Command('diff')
  .description('say what changed between two runs: failures, coverage, unspecified behaviour, the kit, the server')
  .argument('<old>', 'folder of the earlier run, also one of a history', nonEmptyParser('name the folder of a run'))
  .argument('<new>', 'folder of the later run', nonEmptyParser('name the folder of a run'))
  .option('--json', 'print JSON', false)
  .addHelpText(
    'after',
    '\nExamples:\n  $ conformance diff reports/monday reports/tuesday\n  $ conformance diff reports/monday reports/tuesday --json',
  )
  .action(async (older: string, newer: string, { json }: { json: boolean }) => {
    const [before, now] = [await openNight(older, '<old>'), await openNight(newer, '<new>')];
    if (!isSameTarget(before.target, now.target))
      throw new ConfigurationError(
        `<new>: ${newer} judges ${now.target.name} (${now.target.baseUrl}), but ${older} judges ${before.target.name} (${before.target.baseUrl}); name two runs of one target`,
      );
    const changes = compareNights([before], now);
    if (json) return console.log(JSON.stringify(changes, null, 2));
    for (const line of [changeLine(changes), ...changeDetails(changes)]) console.log(escapeForLog(line));
  });

/** The run of a folder. Rejects with a ConfigurationError if it contains no readable run. */
async function openNight(folder: string, argument: string): Promise<Night> {
  if (existsSync(join(folder, NIGHT_FILE))) return readNight(folder, argument);
  const { header } = await readRunVerdicts(folder, argument);
  const report = await buildReport(() => readJournal(join(folder, JOURNAL_FILE)));
  return nightOf(report, header.catalogue.requirements);
}

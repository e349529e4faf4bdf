import { Command } from 'commander';
import { ConfigurationFault } from '../engine/model/configuration-error.ts';
import { logText } from '../reporting/visible.ts';
import type { Diagnosis } from './doctor/diagnosis.ts';
import { examineTarget } from './doctor/examine-target.ts';
import { diagnosisInWords } from './doctor/text.ts';
import { EXIT } from './exit-codes.ts';
import { checksOf, type SelectionOptions, withSelectionOptions } from './selection-options.ts';
import { StopOnSignal } from './stop-on-signal.ts';
import { type TargetOptions, targetOf, withTargetOptions } from './target-options.ts';
import { insistOnTemporaryFolder } from './temporary-folder.ts';

interface DoctorOptions extends TargetOptions, SelectionOptions {
  probe: boolean;
  json: boolean;
}

export const doctorCommand = withSelectionOptions(
  withTargetOptions(new Command('doctor').description('prove a target file, without judging anything')),
)
  .option('--probe', 'also perform every bound operation once, and remove what can be removed', false)
  .option('--json', 'print one JSON document instead of lines', false)
  .addHelpText(
    'after',
    `
Examples:
  $ conformance doctor --target staging.yaml
  $ conformance doctor --target staging.yaml --profile core --probe

Exit codes: 0 ready · 2 the target file is wrong · 3 required checks would stay blocked`,
  )
  .action(async (options: DoctorOptions) => {
    const diagnosis = await diagnosed(options).catch((error: unknown) => {
      // The lines on stderr say the same to people.
      if (options.json && error instanceof ConfigurationFault)
        printJson({ problems: error.problems, exitCode: EXIT.usage });
      throw error;
    });
    if (options.json) printJson(diagnosis);
    else console.log(diagnosisInWords(diagnosis).map(logText).join('\n'));
    process.exitCode = diagnosis.exitCode;
  });

/** The whole diagnosis, or only its problems and exit code when the target file cannot be used at all. */
function printJson(document: Pick<Diagnosis, 'problems' | 'exitCode'>): void {
  console.log(JSON.stringify(document, null, 2));
}

async function diagnosed(options: DoctorOptions): Promise<Diagnosis> {
  const { profile, probe } = options;
  const checks = checksOf(options);
  const target = await targetOf(options);
  if (probe) insistOnTemporaryFolder();
  const stopping = new StopOnSignal();
  return await examineTarget({ target, checks, profile, probe, stop: stopping.signal }).finally(() =>
    stopping.release(),
  );
}

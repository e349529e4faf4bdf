import { Command } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { escapeForLog } from '../../reporting/text/escape-control-characters.ts';
import { EXIT } from '../../specs/exit-codes.ts';
import type { Diagnosis } from '../doctor/diagnosis.ts';
import { diagnoseTarget } from '../doctor/target-diagnosis.ts';
import { formatDiagnosis } from '../doctor/text.ts';
import { type SelectionOptions, selectedChecks, withSelectionOptions } from '../options/selection-options.ts';
import { resolveTarget, type TargetOptions, withTargetOptions } from '../options/target-options.ts';
import { GracefulShutdown } from '../processes/graceful-shutdown.ts';
import { assertTemporaryFolder } from '../processes/temporary-folder.ts';

interface DoctorOptions extends TargetOptions, SelectionOptions {
  probe: boolean;
  json: boolean;
}

export const doctorCommand = withSelectionOptions(
  withTargetOptions(new Command('doctor').description('verify a target file, without judging the server')),
)
  .option('--probe', 'also call every bound operation once, then remove the created items where possible', false)
  .option('--json', 'print one JSON document instead of text lines', false)
  .addHelpText(
    'after',
    `
Examples:
  $ conformance doctor --target staging.yaml
  $ conformance doctor --target staging.yaml --profile core --probe

Exit codes: 0 ready · 2 the target file is wrong, or the server is unavailable · 3 required checks would stay blocked`,
  )
  .action(async (options: DoctorOptions) => {
    const diagnosis = await diagnose(options).catch((error: unknown) => {
      // stderr gets the same problems as text.
      if (options.json && error instanceof ConfigurationError)
        printJson({ problems: error.problems, exitCode: EXIT.usage });
      throw error;
    });
    if (options.json) printJson(diagnosis);
    else console.log(formatDiagnosis(diagnosis).map(escapeForLog).join('\n'));
    process.exitCode = diagnosis.exitCode;
  });

/** Prints the whole diagnosis, or only problems and exit code if the target file is not usable. */
function printJson(document: Pick<Diagnosis, 'problems' | 'exitCode'>): void {
  console.log(JSON.stringify(document, null, 2));
}

async function diagnose(options: DoctorOptions): Promise<Diagnosis> {
  const { profile, probe } = options;
  const checks = selectedChecks(options);
  const target = await resolveTarget(options);
  if (probe) assertTemporaryFolder();
  const stopping = new GracefulShutdown();
  return await diagnoseTarget({ target, checks, profile, probe, stop: stopping.signal }).finally(() =>
    stopping.release(),
  );
}

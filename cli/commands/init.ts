import { existsSync, statSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { targetTemplate } from '../init/target-template.ts';
import { nonEmptyParser } from '../options/option-values.ts';
import { commandLine } from '../processes/invocation.ts';

export const initCommand = new Command('init')
  .description('write a target file template with the usual operations bound')
  .argument('[file]', 'where to write it', nonEmptyParser('name the file to write, such as target.yaml'), 'target.yaml')
  .option('--base-url <url>', 'base URL of the server', 'https://staging.example.com')
  .addHelpText(
    'after',
    '\nExamples:\n  $ conformance init\n  $ conformance init staging.yaml --base-url https://staging.example.com',
  )
  .action(async (file: string, { baseUrl }: { baseUrl: string }) => {
    const { baseUrlProblems } = await import('../../engine/target/validation/schema-problems.ts');
    const problems = baseUrlProblems(baseUrl).map((text) => `--base-url: ${text}`);
    if (problems.length > 0) throw new ConfigurationError(...problems);
    assertNewFile(file);
    try {
      // The base URL may be written with spaces around it, as in a target file.
      writeFileSync(file, targetTemplate(baseUrl.trim()), { flag: 'wx' });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new ConfigurationError(`${file}: cannot be written (${code}); name a file in a folder that can be written`);
    }
    const next = commandLine(['doctor', '--target', file]);
    console.log(
      `Wrote ${file}. Set the environment variables that it names, correct its operations, then run:\n\n  ${next}`,
    );
  });

function assertNewFile(file: string): void {
  if (!existsSync(file)) return;
  if (statSync(file).isDirectory()) throw new ConfigurationError(`${file}: is a folder; name a file in it`);
  throw new ConfigurationError(`${file}: already exists; name another file or remove it first`);
}

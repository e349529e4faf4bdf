import { fileURLToPath } from 'node:url';
import { Argument, Command } from 'commander';

/** `npm run mutate -- reference`, `npm run mutate -- --mutate helpers/api/requests.ts 'helpers/lists/*.ts'`. */
process.chdir(fileURLToPath(new URL('../..', import.meta.url)));

const command = new Command()
  .addArgument(new Argument('[what]', 'what to mutate').choices(['kit', 'reference']).default('kit'))
  .option('--mutate <files...>', 'files, or patterns with *')
  .parse();
const { mutate } = command.opts<{ mutate?: string[] }>();

if (command.processedArgs[0] === 'reference') await (await import('./reference.ts')).mutateReference(mutate);
else await (await import('./kit.ts')).mutateKit(mutate);

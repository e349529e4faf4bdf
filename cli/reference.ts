import { Command, InvalidArgumentError } from 'commander';
import { stringify } from 'yaml';
import { ConfigurationFault } from '../engine/configuration-fault.ts';
import { startReference } from '../reference/start.ts';

export const referenceCommand = new Command('reference')
  .description('serve the reference service and print a target file for it')
  .option('--port <n>', 'port to listen on (default: a free one)', portNumber)
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .addHelpText(
    'after',
    '\nExamples:\n  $ conformance reference --port 8080 > target.yaml\n  $ conformance run --target target.yaml',
  )
  .action(async ({ port, host }: { port?: number; host: string }) => {
    const reference = await startReference({ host, ...(port !== undefined && { port }) }).catch(
      (error: NodeJS.ErrnoException) => {
        throw new ConfigurationFault(
          `--port: cannot listen on ${host}:${port ?? 0} (${error.code ?? error.message}); name a free port`,
        );
      },
    );
    // A reset would end the keys of this very file.
    const target = { ...reference.target, allow: { ...reference.target.allow, reset: false } };
    process.stdout.write(stringify(target));
    console.error(`The reference service listens at ${reference.baseUrl}. Ctrl-C ends it.`);
    const end = () => void reference.close().then(() => process.exit(0));
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
  });

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('write a port from 0 to 65535.');
  return port;
}

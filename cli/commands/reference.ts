import { Command, InvalidArgumentError } from 'commander';
import { stringify } from 'yaml';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { startReference } from '../../reference/service/start.ts';
import { nonEmptyParser } from '../options/option-values.ts';

export const referenceCommand = new Command('reference')
  .description('start the reference service and print a target file for it')
  .option('--port <n>', 'port to listen on (default: a free one)', parsePort)
  .option(
    '--host <address>',
    'address to listen on',
    nonEmptyParser('name an address of this machine, such as 127.0.0.1'),
    '127.0.0.1',
  )
  .addHelpText(
    'after',
    '\nExamples:\n  $ conformance reference --port 8080 > target.yaml\n  $ conformance run --target target.yaml',
  )
  .action(async ({ port, host }: { port?: number; host: string }) => {
    const reference = await startReference({ host, ...(port !== undefined && { port }) }).catch(
      (error: NodeJS.ErrnoException) => {
        throw listenError(host, port, error);
      },
    );
    // A reset would invalidate the keys in this file.
    const target = { ...reference.target, allow: { ...reference.target.allow, reset: false } };
    process.stdout.write(stringify(target));
    console.error(`The reference service listens at ${reference.baseUrl}. Press Ctrl-C to stop it.`);
    const end = () => void reference.close().then(() => process.exit(0));
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
  });

/** Error codes that concern the port; all others concern the address. */
const PORT_ERROR_CODES: ReadonlySet<string | undefined> = new Set(['EADDRINUSE', 'EACCES']);

function listenError(host: string, port: number | undefined, { code, message }: NodeJS.ErrnoException) {
  const found = code ?? message;
  return new ConfigurationError(
    PORT_ERROR_CODES.has(code)
      ? `--port: cannot listen on ${host}:${port ?? 0} (${found}); name a free port`
      : `--host: cannot listen on ${host} (${found}); name an address of this machine, such as 127.0.0.1`,
  );
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('write a port from 0 to 65535.');
  return port;
}

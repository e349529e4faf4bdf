import { Command } from 'commander';
import { stringify } from 'yaml';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { systemErrorCode } from '../../engine/model/system-error.ts';
import type { ServerOverrides } from '../../reference/overrides/server-overrides.ts';
import { startReference } from '../../reference/service/start.ts';
import { nearestName } from '../../specs/nearest-name.ts';
import { nonEmptyParser, wholeNumberParser } from '../options/option-values.ts';
import { parseCommaList } from '../options/selection-options.ts';

export const referenceCommand = new Command('reference')
  .description('start the reference service and print a target file for it')
  .option(
    '--port <n>',
    'port to listen on (default: a free one)',
    wholeNumberParser('write a port from 0 to 65535', { most: 65_535 }),
  )
  .option(
    '--host <address>',
    'address to listen on',
    nonEmptyParser('name an address of this machine, such as 127.0.0.1'),
    '127.0.0.1',
  )
  .option(
    '--fault <ids>',
    'start the service with these faults, separated by commas; conformance explain lists them under `detects`',
    parseCommaList,
  )
  .addHelpText(
    'after',
    `
Examples:
  $ conformance reference --port 8080 > target.yaml
  $ conformance run --target target.yaml
  $ conformance reference --fault life-approved-cancel-allowed > broken.yaml`,
  )
  .action(async ({ port, host, fault = [] }: { port?: number; host: string; fault?: string[] }) => {
    const { target: describe = (target) => target, ...overrides } = await overridesOf(fault);
    const reference = await startReference({ ...overrides, host, ...(port !== undefined && { port }) }).catch(
      (error: NodeJS.ErrnoException) => {
        throw listenError(host, port, error);
      },
    );
    // A reset would invalidate the keys in this file.
    const { allow } = reference.target;
    process.stdout.write(stringify(describe({ ...reference.target, allow: { ...allow, reset: false } })));
    console.error(`The reference service listens at ${reference.baseUrl}. Press Ctrl-C to stop it.`);
    const end = () => void reference.close().then(() => process.exit(0));
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
  });

/** The overrides of these faults together. Rejects with a ConfigurationError for an unknown id. */
async function overridesOf(ids: readonly string[]): Promise<ServerOverrides> {
  if (ids.length === 0) return {};
  // Loaded on demand: the catalogue of faults slows down the start.
  const { allFaults } = await import('../../reference/faults/all.ts');
  const known = new Map(allFaults.map((fault) => [fault.id, fault]));
  const faults = ids.map((id) => {
    const fault = known.get(id);
    if (fault) return fault;
    const similar = nearestName(id, [...known.keys()]);
    throw new ConfigurationError(
      `--fault: found ${id}, which is no known fault; ${similar ? `did you mean ${similar}?` : 'conformance explain ID names the faults that a check detects'}`,
    );
  });
  const { composeOverrides } = await import('../../reference/variations/support/compose.ts');
  return composeOverrides(faults);
}

/** Error codes that concern the port; all others concern the address. */
const PORT_ERROR_CODES: ReadonlySet<string> = new Set(['EADDRINUSE', 'EACCES']);

function listenError(host: string, port: number | undefined, error: Error) {
  const code = systemErrorCode(error);
  return new ConfigurationError(
    PORT_ERROR_CODES.has(code)
      ? `--port: cannot listen on ${host}:${port ?? 0} (${code}); name a free port`
      : `--host: cannot listen on ${host} (${code}); name an address of this machine, such as 127.0.0.1`,
  );
}

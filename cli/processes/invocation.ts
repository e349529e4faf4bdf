import { basename, relative } from 'node:path';

interface Caller {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  platform: NodeJS.Platform;
}

/** A command line of the kit that the user can copy, in the form in which the kit was called. */
export function commandLine(args: readonly string[], caller: Caller = currentCaller()): string {
  const quote = caller.platform === 'win32' ? quoteForWindows : quoteForShell;
  return [programCommand(caller, quote), ...args.map(quote)].join(' ');
}

/** A command line for a command that does not know the target file of the run: the user completes it. */
export function anyTargetCommandLine(subcommand: string, options: readonly string[]): string {
  const [program, rest] = [commandLine([subcommand]), options.map(quoteForShell)];
  return [program, '--target <your target file>', ...rest].join(' ');
}

function currentCaller(): Caller {
  const { argv, env, platform } = process;
  return { argv, env, platform, cwd: process.cwd() };
}

const COMMAND_NAME = 'conformance';

function programCommand({ argv, env, cwd, platform }: Caller, quote: (text: string) => string): string {
  const script = argv[1] ?? '';
  const separator = platform === 'win32' ? '\\' : '/';
  const parts = script.split(/[\\/]/);
  if (parts.at(-2) === 'cli' && basename(script).startsWith('main.')) {
    if (env.npm_lifecycle_script?.includes(parts.slice(-2).join('/'))) return `npm run -s ${COMMAND_NAME} --`;
    const path = quote(relative(cwd, script).split(/[\\/]/).join(separator));
    return script.endsWith('.ts') ? `npx tsx ${path}` : `node ${path}`;
  }
  const isLocal = parts.at(-2) === '.bin' || env.npm_command === 'exec';
  return isLocal ? `npx ${COMMAND_NAME}` : COMMAND_NAME;
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function quoteForWindows(text: string): string {
  return /^[\w@+=:,./\\-]+$/.test(text) ? text : `"${text}"`;
}

import { afterAll, describe, expect, test, vi } from 'vitest';
import { commandsOf, type DocumentedCommand } from '../../docs/documented-commands.ts';
import { userPages } from '../../docs/markdown-pages.ts';
import { conformance, patient } from '../support/command.ts';
import { createWorld, removeWorlds } from './page-world.ts';

vi.setConfig({ ...patient, testTimeout: 4 * patient.testTimeout, maxConcurrency: 3 });
afterAll(removeWorlds);

/** Commands that do not run here, and why. */
const ELSEWHERE = new Map([
  ['prove', 'judges every server with every check, which takes half an hour'],
  ['prove --quick', '.ci/run runs it'],
  ['prove --pairs', 'judges every composition, which takes half an hour'],
  ['reference --port 8080', 'serves until it is stopped'],
]);

/** The exit codes of the pages that do not show complete target files and conforming servers only. */
const EXIT_CODES: Record<string, readonly number[]> = {
  // The target file has the keys of two actors, no policy accepts the exceptions, and the known failure of the baseline has gone.
  'README.md': [0, 1, 3],
  // The server has a defect, and the target file has the keys of two actors.
  'docs/getting-started.md': [0, 1, 3],
  // The server has a defect.
  'docs/gate.md': [0, 1],
  // The custom check requires what the reference service does not have.
  'docs/custom-checks.md': [0, 1],
  // The report is that of a run with a failure.
  'docs/real-networks.md': [1],
  'docs/report.md': [1],
};

/** Other commands read or write files that other commands of the page name. */
const INDEPENDENT = /^(run|doctor|cleanup|explain)$/;
const NAMES_FILES = new Set(['--out', '--last-failed', '--custom-checks', '--shard']);
const ranBefore = new Set<string>();

/** Whether no page before has shown the command, with this or with another target file. */
function isFirst({ args: [name = '', ...args] }: DocumentedCommand): boolean {
  if (!INDEPENDENT.test(name) || args.some((arg) => NAMES_FILES.has(arg))) return true;
  const isTarget = (at: number) =>
    args[at - 1] === '--target' || args[at] === '--secrets' || args[at - 1] === '--secrets';
  const key = [name, ...args.filter((_, at) => !isTarget(at))].join(' ');
  const isNew = !ranBefore.has(key);
  ranBefore.add(key);
  return isNew;
}

const SELECTING = [
  '--profile',
  '--only',
  '--budget',
  '--last-failed',
  '--shard',
  '--watch',
  '--help',
  '--custom-checks',
];

/** A complete run takes long, and the commands matter here, not the checks. */
function withBudget(args: readonly string[]): string[] {
  const isComplete = args[0] === 'run' && !SELECTING.some((option) => args.includes(option));
  return isComplete ? [...args, '--budget', '100'] : [...args];
}

const pages = userPages().flatMap(({ path, ...page }) => {
  const unique = new Map(commandsOf({ path, ...page }).map((command) => [command.args.join(' '), command]));
  const commands = [...unique.values()].filter((command) => !ELSEWHERE.has(command.args.join(' ')) && isFirst(command));
  return commands.length === 0 ? [] : [{ path, commands }];
});

describe.concurrent('the commands of a page work in their order:', () => {
  test.each(pages)('$path', async ({ path, commands }) => {
    const world = await createWorld(path);
    for (const { line, args } of commands) {
      await world.prepare(args);
      const { code, stdout, stderr } = await conformance(withBudget(world.fillIn(args)), {
        cwd: world.folder,
        env: world.env,
      });
      expect(EXIT_CODES[path] ?? [0], `${line}\n${stderr}\n${stdout}`).toContain(code);
    }
  });
});

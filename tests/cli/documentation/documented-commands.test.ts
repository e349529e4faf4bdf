import { afterAll, describe, expect, test, vi } from 'vitest';
import { commandsOf, type DocumentedCommand } from '../../docs/documented-commands.ts';
import { userPages } from '../../docs/markdown-pages.ts';
import { conformance, patient } from '../support/command.ts';
import { createWorld, removeWorlds } from './page-world.ts';

vi.setConfig({ ...patient, testTimeout: 4 * patient.testTimeout, maxConcurrency: 3 });
afterAll(removeWorlds);

/** Commands that do not run here, and what runs them. */
const ELSEWHERE = new Map([
  ['prove', 'npm run bench and the release judge every server; it takes half an hour'],
  ['prove --quick', '.ci/run'],
  ['prove --pairs', 'prove --quick judges a part of the compositions; all of them take half an hour'],
  ['reference --port 8080', 'tests/cli/commands: it serves until it is ended'],
]);

/** The exit codes of a page that does not show conforming servers only. */
const EXIT_CODES: Record<string, readonly number[]> = {
  // The server has the defect that the baseline accepts.
  'docs/gate.md': [0, 1],
  // The custom check requires what the reference service does not have.
  'docs/custom-checks.md': [1],
};

/** Commands with the same result in every folder run once. */
const ranBefore = new Set<string>();

function isFirst({ args }: DocumentedCommand): boolean {
  const needsFiles =
    args.some((arg) => /^--(target|out|from)$/.test(arg)) || /^(report|merge|diff|compare)$/.test(args[0] ?? '');
  if (needsFiles) return true;
  const key = args.join(' ');
  const first = !ranBefore.has(key);
  ranBefore.add(key);
  return first;
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
      const { code, stdout, stderr } = await conformance(world.fillIn(args), { cwd: world.folder, env: world.env });
      expect(EXIT_CODES[path] ?? [0], `${line}\n${stderr}\n${stdout}`).toContain(code);
    }
  });
});

import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { commandsOf } from './documented-commands.ts';
import { userPages } from './markdown-pages.ts';

const documented = new Map(
  userPages()
    .flatMap(commandsOf)
    .map((command) => [command.args.join(' '), command]),
);

/** The command with an action that does nothing. */
async function parserOf(name: string): Promise<Command> {
  const module = (await import(`../../cli/commands/${name}.ts`)) as Record<string, Command>;
  const command = module[`${name}Command`];
  if (!command) throw new Error(`there is no command ${name}`);
  return command
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} })
    .action(() => {});
}

test('the pages show all commands of daily use', () => {
  const names = new Set([...documented.values()].map(({ args }) => args[0]));
  for (const name of ['run', 'init', 'doctor', 'cleanup', 'explain', 'report', 'baseline', 'merge', 'diff'])
    expect(names).toContain(name);
});

describe('a documented command has options and values that the kit accepts', () => {
  test.each([...documented.values()])('$line ($page)', async ({ args: [name = '', ...args] }) => {
    const command = await parserOf(name);
    await command.parseAsync(args, { from: 'user' }).catch((error: { code?: string }) => {
      if (error.code !== 'commander.helpDisplayed') throw error;
    });
  });
});

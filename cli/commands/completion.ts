import { Argument, Command } from 'commander';
import { bashScript } from '../completion/bash.ts';
import { commandTree } from '../completion/command-tree.ts';
import { fishScript } from '../completion/fish.ts';
import { zshScript } from '../completion/zsh.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export const completionCommand = new Command('completion')
  .description('print the script that completes commands, options and values in a shell')
  .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
  .addHelpText(
    'after',
    `
The script does not start the kit when it completes. Write it again after an update of the kit.

Examples:
  $ conformance completion bash > ~/.local/share/bash-completion/completions/conformance
  $ conformance completion zsh > ~/.zfunc/_conformance
  $ conformance completion fish > ~/.config/fish/completions/conformance.fish`,
  )
  .action((shell: keyof typeof SCRIPTS, _: object, { parent }: Command) => {
    if (!parent) throw new Error('completion: is not a command of a program');
    process.stdout.write(SCRIPTS[shell](commandTree(parent)));
  });

import type { Argument, Command, Option } from 'commander';
import { argumentValue, optionValue, type Value } from './values.ts';

/** What a shell can complete of a command. */
export interface CommandEntry {
  name: string;
  description: string;
  options: readonly OptionEntry[];
  arguments: readonly ArgumentEntry[];
}

export interface OptionEntry {
  /** `-t` and `--target`, or only the latter. */
  flags: readonly string[];
  description: string;
  /** Undefined for an option without a value. */
  value?: Value;
  hasOptionalValue: boolean;
}

export interface ArgumentEntry {
  name: string;
  value: Value;
  isVariadic: boolean;
}

export interface CommandTree {
  name: string;
  version: string;
  /** Options without a command, such as `--version`. */
  options: readonly OptionEntry[];
  commands: readonly CommandEntry[];
}

/** The commands, options and values of a program, as its help shows them. */
export function commandTree(program: Command): CommandTree {
  const commands = program.createHelp().visibleCommands(program);
  const names = commands.map((command) => command.name());
  return {
    name: program.name(),
    version: program.version() ?? '',
    options: optionEntries(program),
    commands: commands.map((command) => ({
      name: command.name(),
      description: command.description(),
      options: optionEntries(command),
      arguments: command.registeredArguments.map((argument) => argumentEntry(argument, names)),
    })),
  };
}

function optionEntries(command: Command): OptionEntry[] {
  const options = command.createHelp().visibleOptions(command);
  return options.map((option) => ({
    flags: [option.short, option.long].filter((flag) => flag !== undefined),
    description: option.description,
    hasOptionalValue: option.optional,
    ...valueEntry(option),
  }));
}

function valueEntry(option: Option): { value?: Value } {
  return option.required || option.optional ? { value: optionValue(option) } : {};
}

function argumentEntry(argument: Argument, commands: readonly string[]): ArgumentEntry {
  return {
    name: argument.name(),
    value: argumentValue(argument, commands),
    isVariadic: argument.variadic,
  };
}

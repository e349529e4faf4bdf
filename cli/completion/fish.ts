import type { ArgumentEntry, CommandEntry, CommandTree, OptionEntry } from './command-tree.ts';
import { NameSets } from './name-sets.ts';
import type { Value } from './values.ts';

/** The script for fish 3 or later. */
export function fishScript(tree: CommandTree): string {
  const { name, version, commands, options } = tree;
  const sets = new NameSets(tree);
  const toArguments = (value: Value) => valueArguments(value, name, sets);
  const complete = (condition: string, rest: string) => `complete -c ${name} -n '__${name}_${condition}' ${rest}\n`;
  const lines = commands.flatMap((command) => [
    complete('needs_command', `-a ${command.name} -d ${quote(command.description)}`),
    ...optionRests(command.options, toArguments).map((rest) => complete(`has_command ${command.name}`, rest)),
    ...optionalValues(command).map(([flag, value]) => complete(`follows ${command.name} ${flag}`, toArguments(value))),
    ...command.arguments.map((argument, at) =>
      complete(argumentCondition(command, argument, at), toArguments(argument.value)),
    ),
  ]);
  return `# Completion of ${name} ${version} for fish

${sets
  .entries()
  .map(({ set, names }) => `function __${name}_${set}\n    printf '%s\\n' ${names}\nend\n`)
  .join('')}
function __${name}_needs_command
    test (count (commandline -opc)) -eq 1
end

function __${name}_has_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test $words[2] = $argv[1]
end

# Whether the word before is the option $argv[2] of the command.
function __${name}_follows
    set -l words (commandline -opc)
    __${name}_has_command $argv[1]; and test $words[-1] = $argv[2]
end

# Whether at most $argv[2] words follow the command.
function __${name}_has_words
    __${name}_has_command $argv[1]; and test (count (commandline -opc)) -le (math 2 + $argv[2])
end

complete -c ${name} -f
${optionRests(options, toArguments)
  .map((rest) => complete('needs_command', rest))
  .join('')}${lines.join('')}`;
}

type ToArguments = (value: Value) => string;

function optionRests(options: readonly OptionEntry[], toArguments: ToArguments): string[] {
  return options.map(({ flags, description, value, hasOptionalValue }) => {
    const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
    const required = value && !hasOptionalValue ? ` -r ${toArguments(value)}` : '';
    return `${names.join(' ')}${required} -d ${quote(description)}`;
  });
}

/** fish would only complete them after an equals sign. */
function optionalValues({ options }: CommandEntry): [flag: string, value: Value][] {
  return options.flatMap(({ flags, value, hasOptionalValue }) =>
    value && hasOptionalValue ? flags.map((flag): [string, Value] => [flag, value]) : [],
  );
}

/** The position of an argument is only known before the first option. */
function argumentCondition({ name }: CommandEntry, { isVariadic }: ArgumentEntry, at: number): string {
  return isVariadic ? `has_command ${name}` : `has_words ${name} ${at}`;
}

function valueArguments(value: Value, name: string, sets: NameSets): string {
  switch (value.kind) {
    case 'file':
      return '-F';
    case 'folder':
      return "-f -a '(__fish_complete_directories)'";
    case 'text':
      return '-f';
    case 'name':
      return `-f -a '(__${name}_${sets.nameOf(value)})'`;
    case 'list':
      return `-f -a '(__fish_complete_list , __${name}_${sets.nameOf(value)})'`;
  }
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

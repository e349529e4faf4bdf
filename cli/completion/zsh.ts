import type { ArgumentEntry, CommandEntry, CommandTree, OptionEntry } from './command-tree.ts';
import { NameSets } from './name-sets.ts';
import type { Value } from './values.ts';

/** The script for zsh 5 or later, to be sourced after compinit or to be put as `_conformance` into a folder of fpath. */
export function zshScript(tree: CommandTree): string {
  const { name, version, commands, options } = tree;
  const sets = new NameSets(tree);
  return `#compdef ${name}
# Completion of ${name} ${version} for zsh

${sets
  .entries()
  .map(({ set, names }) => setFunctions(name, set, names))
  .join('\n')}
_${name}_command() {
  local -a commands=(
${commands.map((command) => `    ${quote(`${command.name}:${command.description}`)}\n`).join('')}  )
  _describe -t commands command commands
}

_${name}() {
  local curcontext=$curcontext state state_descr line
  typeset -A opt_args
  _arguments -C \\
${options.map((option) => `    ${optionSpec(option, '')} \\\n`).join('')}    '1:command:_${name}_command' '*:: :->rest'
  [[ $state == rest ]] || return
  case $words[1] in
${commands.map((command) => branch(command, (value) => action(value, name, sets))).join('')}  esac
}

if [[ $funcstack[1] == _${name} ]]; then
  _${name} "$@"
else
  compdef _${name} ${name}
fi
`;
}

/** \`_conformance_only\` completes one name; \`_conformance_only_list\` names that are separated by commas. */
function setFunctions(name: string, set: string, names: string): string {
  return `_${name}_${set}() {
  local -a names=(${names})
  compadd "$@" -a names
}
_${name}_${set}_list() { _sequence -s , _${name}_${set} }
`;
}

type ToAction = (value: Value) => string;

function branch(command: CommandEntry, toAction: ToAction): string {
  const specs = [
    ...command.options.map((option) => optionSpec(option, option.value ? toAction(option.value) : '')),
    ...command.arguments.map((argument, at) => argumentSpec(argument, at, toAction)),
  ];
  return `    ${command.name})\n      _arguments \\\n        ${specs.join(' \\\n        ')}\n      ;;\n`;
}

function optionSpec({ flags, description, value, hasOptionalValue }: OptionEntry, valueAction: string): string {
  const isList = value?.kind === 'list';
  const exclusion = isList ? '*' : `(${flags.join(' ')})`;
  const forms = flags.map((flag) => `${flag}${value ? (flag.startsWith('--') ? '=' : '+') : ''}`);
  const form = forms.length > 1 ? `'{${forms.join(',')}}'` : forms.join('');
  const valueSpec = value ? `${hasOptionalValue ? '::' : ':'}value:${valueAction}` : '';
  return `'${exclusion}${form}[${escapeText(description).replace(/[[\]]/g, '\\$&')}]${valueSpec}'`;
}

function argumentSpec({ name, value, isVariadic }: ArgumentEntry, at: number, toAction: ToAction): string {
  return `'${isVariadic ? '*' : at + 1}:${name}:${toAction(value)}'`;
}

function action(value: Value, name: string, sets: NameSets): string {
  switch (value.kind) {
    case 'file':
      return '_files';
    case 'folder':
      return '_files -/';
    case 'text':
      return ' ';
    case 'name':
      return `_${name}_${sets.nameOf(value)}`;
    case 'list':
      return `_${name}_${sets.nameOf(value)}_list`;
  }
}

function quote(text: string): string {
  return `'${escapeText(text)}'`;
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", `'\\''`);
}

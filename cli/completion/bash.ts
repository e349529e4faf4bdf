import type { CommandEntry, CommandTree, OptionEntry } from './command-tree.ts';
import { NameSets } from './name-sets.ts';
import type { Value } from './values.ts';

/** The script for bash 3.2 or later. It needs no other program, so that it is as fast as the shell. */
export function bashScript(tree: CommandTree): string {
  const { name, version, commands, options } = tree;
  const sets = new NameSets(tree);
  const words = [...commands.map((command) => command.name), ...options.flatMap(({ flags }) => flags)];
  return `# Completion of ${name} ${version} for bash

_${name}_set() {
  case $1 in
${sets
  .entries()
  .map(({ set, names }) => `    ${set}) printf '%s\\n' ${names} ;;\n`)
  .join('')}  esac
}

_${name}_options() {
  case $1 in
${commands.map((command) => `    ${command.name}) printf '%s\\n' ${flagsOf(command)} ;;\n`).join('')}  esac
}

# Sets \`value\` to what follows the option $2 of the command $1. A question mark says that it may be missing.
_${name}_option() {
  case "$1 $2" in
${branches(commands.flatMap((command) => optionPatterns(command, sets)))}  esac
}

# Sets \`value\` to what the argument number $2 of the command $1 is.
_${name}_argument() {
  case "$1 $2" in
${branches(commands.flatMap((command) => argumentPatterns(command, sets)))}  esac
}

_${name}() {
  local IFS=$'\\n' cur=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]} value='' position=0 word at chosen=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W $'${words.join('\\n')}' -- "$cur"))
    return
  fi
  for ((at = 2; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    # bash makes three words of --option=value.
    [[ $word == = ]] && continue
    if [[ -n $value && ($value != \\?* || $word != -*) ]]; then
      value=''
      continue
    fi
    value=''
    case $word in
      -*) _${name}_option "$command" "$word" ;;
      *) position=$((position + 1)) ;;
    esac
  done
  [[ $cur == = ]] && cur=''
  [[ $value == \\?* && $cur == -* ]] && value=''
  [[ -z $value && $cur != -* ]] && _${name}_argument "$command" "$position"
  case \${value#\\?} in
    '') COMPREPLY=($(compgen -W "$(_${name}_options "$command")" -- "$cur")) ;;
    text) ;;
    file)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -f -- "$cur"))
      ;;
    folder)
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -d -- "$cur"))
      ;;
    list\\ *)
      [[ $cur == *,* ]] && chosen=\${cur%,*},
      COMPREPLY=($(compgen -P "$chosen" -W "$(_${name}_set "\${value##* }")" -- "\${cur##*,}"))
      ;;
    name\\ *) COMPREPLY=($(compgen -W "$(_${name}_set "\${value##* }")" -- "$cur")) ;;
  esac
}

complete -F _${name} ${name}
`;
}

interface Pattern {
  pattern: string;
  value: string;
}

/** One branch for each value, with all its patterns. */
function branches(patterns: readonly Pattern[]): string {
  const values = [...new Set(patterns.map(({ value }) => value))];
  const patternsOf = (wanted: string) => patterns.filter(({ value }) => value === wanted).map(({ pattern }) => pattern);
  return values.map((value) => `    ${patternsOf(value).join(' | ')}) value='${value}' ;;\n`).join('');
}

function optionPatterns({ name, options }: CommandEntry, sets: NameSets): Pattern[] {
  const withValue = ({ flags, value, hasOptionalValue }: OptionEntry): Pattern[] => {
    if (!value) return [];
    const text = `${hasOptionalValue ? '?' : ''}${valueText(value, sets)}`;
    return flags.map((flag) => ({ pattern: `'${name} ${flag}'`, value: text }));
  };
  return options.flatMap(withValue);
}

function argumentPatterns(command: CommandEntry, sets: NameSets): Pattern[] {
  return command.arguments.map(({ value, isVariadic }, at) => ({
    pattern: isVariadic ? `'${command.name} '*` : `'${command.name} ${at}'`,
    value: valueText(value, sets),
  }));
}

function valueText(value: Value, sets: NameSets): string {
  return 'names' in value ? `${value.kind} ${sets.nameOf(value)}` : value.kind;
}

function flagsOf({ options }: CommandEntry): string {
  return options.flatMap(({ flags }) => flags).join(' ');
}

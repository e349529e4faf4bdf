import { existsSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { nearestName, similarName } from '../../specs/nearest-name.ts';
import { parseCommaList } from './selection-options.ts';

/** An error of the command line parser as one line: the option, the value that was found, and what to write instead. */
export function usageError(text: string, command?: Command): string {
  // The value of an option may have several lines. The suggestion of the parser is on a line of its own.
  const [, message = '', suggestion = ''] = /^(?:error: )?(.*?)(\n\(Did you mean .*)?$/s.exec(text.trim()) ?? [];
  const superfluous = command && extraArgumentError(message, command);
  if (superfluous !== undefined) return superfluous;
  const joined = command && joinedValueError(message, command);
  if (joined !== undefined) return joined;
  const valued = command && superfluousValueError(message, command);
  if (valued !== undefined) return valued;
  const hint =
    findSynonym(message, command) ??
    suggestion.match(/Did you mean (?:one of )?(.+)\?/)?.[1] ??
    findSimilar(message, command);
  for (const [pattern, wording] of WORDINGS) {
    const found = pattern.exec(message);
    if (found)
      return `${wording(
        found.slice(1).map((part) => part ?? ''),
        hint,
      )}`;
  }
  return `${message.replaceAll('\n', ' ')}; add --help for the options and examples`;
}

/** Names that other tools use for the options of the kit. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  '--base-url': ['--url', '--host', '--endpoint', '--server'],
  '--concurrency': ['--parallel', '--jobs', '--workers', '--threads'],
  '--deadline': ['--timeout', '--max-time'],
  '--max-requests': ['--limit', '--requests'],
  '--only': ['--filter', '--grep', '--check', '--checks', '--include'],
  '--out': ['--output', '--dir', '--folder', '--report'],
  '--target': ['--config', '--file'],
};

/** The option of the command for which an unknown option is a synonym. */
function findSynonym(message: string, command: Command | undefined): string | undefined {
  const unknown = /^unknown option '(--[\w-]+)/.exec(message)?.[1] ?? '';
  const meant = Object.keys(SYNONYMS).find((name) => SYNONYMS[name]?.includes(unknown));
  return command?.options.some(({ long }) => long === meant) ? meant : undefined;
}

/** The parser suggests nothing for an option with a value, such as `--sed=1`. */
function findSimilar(message: string, command: Command | undefined): string | undefined {
  const unknown = /^unknown option '(--[\w-]+)=/.exec(message)?.[1];
  return unknown && similarName(unknown, command?.options.flatMap(({ long }) => long ?? []) ?? []);
}

/** An option with its value in one word, as a list of words in a CI file may have it; undefined for any other unknown option. */
function joinedValueError(message: string, command: Command): string | undefined {
  const [, name, value] = /^unknown option '(--[\w-]+) +(.+)'$/.exec(message) ?? [];
  return value !== undefined && command.options.some(({ long }) => long === name)
    ? `${name}: the option and its value are one word; write ${name} and its value as two words`
    : undefined;
}

/** An option that takes no value, with one. The value is not repeated, because it may be a secret. */
function superfluousValueError(message: string, command: Command): string | undefined {
  const [, name] = /^unknown option '(--[\w-]+)=/.exec(message) ?? [];
  return name !== undefined && command.options.some(({ long }) => long === name)
    ? `${name}: takes no value; write ${name} alone`
    : undefined;
}

type Wording = (parts: string[], hint: string | undefined) => string;

const WORDINGS: readonly (readonly [RegExp, Wording])[] = [
  [
    /^option '(?:-\w, )?(--[\w-]+)[^']*' (?:argument|value) '(.*?)'(?: from env '(\w+)')? is invalid\. (.*?)\.?$/s,
    ([flag = '', value = '', variable = '', advice = '']) =>
      `${variable || flag}: found ${JSON.stringify(value)}; ${withSuggestion(value, advice)}${variable && ', or unset it'}`,
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.+)'\. (.*?)\.?$/s,
    ([value = '', argument = '', advice = '']) =>
      `<${argument}>: found ${JSON.stringify(value)}; ${withSuggestion(value, advice)}`,
  ],
  [
    /^option '(?:-\w, )?(--[\w-]+)( [^']*)?' argument missing$/,
    ([flag = '', argument = '']) => `${flag}: found no value; write ${flag}${argument}`,
  ],
  [
    /^required option '(?:-\w, )?(--[\w-]+)( [^']*)?' not specified$/,
    ([flag = '', argument = '']) => `${flag}: missing; write ${flag}${argument}`,
  ],
  [
    /^(?:option '(?:-\w, )?(--[\w-]+)[^']*'|environment variable '(\w+)') cannot be used with (?:option '(?:-\w, )?(--[\w-]+)[^']*'|environment variable '(\w+)')$/,
    ([flag, variable, otherFlag, otherVariable]) =>
      `${flag || variable}: cannot be combined with ${otherFlag || otherVariable}; remove one of the two`,
  ],
  [/^missing required argument '(.+)'$/, ([argument]) => `<${argument}>: missing; --help says what to write there`],
  [
    // A value behind `=` may be a secret.
    /^unknown (option|command) '(--[\w-]+(?==)|.+)(?:=.*)?'$/s,
    ([kind, name = ''], hint) =>
      `unknown ${kind} ${name.replaceAll('\n', ' ')}; ${hint ? `did you mean ${hint}?` : `--help lists the ${kind}s`}`,
  ],
];

/** Names the extra argument, because the message of the parser does not. */
function extraArgumentError(message: string, command: Command): string | undefined {
  const [, name, expected, found] =
    /^too many arguments for '(.+)'\. Expected (\d+) arguments? but got (\d+)/.exec(message) ?? [];
  const argument = command.args[Number(expected)];
  if (name === undefined || argument === undefined) return undefined;
  const takesTarget = command.options.some(({ long }) => long === '--target');
  if (takesTarget && (/\.(ya?ml|json)$/i.test(argument) || existsSync(argument))) {
    return `${name} accepts no ${argument} alone; write --target ${argument}`;
  }
  return `too many arguments for ${name}: expected ${expected}, found ${found} (${argument}); write values with spaces in quotes`;
}

/** Exits with a usage error if an option follows where a value is expected; the parser would take the option as the value. */
export function assertOptionValues(command: Command, args: readonly string[]): void {
  const given = new Map<Option, string>();
  for (let at = 0; at < args.length && args[at] !== '--'; at += 1) {
    const option = command.options.find(({ short, long }) => args[at] === short || args[at] === long);
    if (!option?.required) continue;
    at += 1;
    const isOption = command.options.some(({ short, long }) => args[at] === short || args[at] === long);
    if (isOption || /^--[a-z]/.test(args[at] ?? '')) command.error(`error: option '${option.flags}' argument missing`);
    const earlier = given.get(option);
    if (earlier !== undefined && !isRepeatable(option)) {
      const values = `${earlier} and ${args[at]}`;
      command.error(
        `error: option '${option.flags}' argument '${values}' is invalid. the option has two values; write it once`,
      );
    }
    given.set(option, args[at] ?? '');
  }
}

/** Options with one value each time, of which a command may have several. */
const REPEATABLE: ReadonlySet<string | undefined> = new Set(['--custom-checks', '--key']);

/** Whether the values of a repeated option add up. */
function isRepeatable({ long, parseArg }: Option): boolean {
  return parseArg === parseCommaList || REPEATABLE.has(long);
}

function withSuggestion(value: string, advice: string): string {
  const choices = /^Allowed choices are (.*)$/.exec(advice)?.[1];
  if (choices === undefined) return advice;
  const meant = nearestName(value, choices.split(', '));
  return meant === undefined ? `write one of ${choices}` : `did you mean ${meant}? There are ${choices}`;
}

import type { Argument, Option } from 'commander';
import { allFaults } from '../../reference/faults/all.ts';
import { requirements } from '../../specs/catalogue/catalogue.ts';
import { formatNames } from '../options/formats-option.ts';
import { conformingServers } from '../prove/servers.ts';

/** What can follow an option, or what an argument can be. `list` names, separated by commas. */
export type Value =
  | { kind: 'file' | 'folder' | 'text' }
  | { kind: 'name' | 'list' /** The set of these names. */; set: string; names: readonly string[] };

const checkIds = requirements.flatMap(({ checks }) => checks.map(({ id }) => id));
const requirementIds = requirements.filter(({ checks }) => checks.length > 0).map(({ id }) => id);
const areas = [...new Set(requirementIds.map((id) => id.replace(/-\d+$/, '')))];

/** Options that accept several names, separated by commas. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  only: [...areas, ...requirementIds, ...checkIds],
  check: checkIds,
  fault: allFaults.map(({ id }) => id),
  variation: conformingServers.map(({ id }) => id),
  format: formatNames,
};

const FILE = { kind: 'file' } as const;
const FOLDER = { kind: 'folder' } as const;
const TEXT = { kind: 'text' } as const;

/** By the placeholder in the help. */
const PLACEHOLDERS: Readonly<Record<string, Value>> = {
  file: FILE,
  package: FILE,
  dir: FOLDER,
  run: FOLDER,
  old: FOLDER,
  new: FOLDER,
  address: TEXT,
  date: TEXT,
  duration: TEXT,
  'i/n': TEXT,
  n: TEXT,
  name: TEXT,
  text: TEXT,
  uri: TEXT,
  url: TEXT,
};

export function optionValue(option: Option): Value {
  const name = option.attributeName();
  const list = LISTS[name];
  if (list) return { kind: 'list', set: name, names: list };
  if (option.argChoices) return { kind: 'name', set: name, names: option.argChoices };
  return placeholderValue(/[<[]([\w/]+)/.exec(option.flags)?.[1]);
}

/** `commands` are the names of all commands, which `help` accepts. */
export function argumentValue(argument: Argument, commands: readonly string[]): Value {
  const set = argument.name();
  if (argument.argChoices) return { kind: 'name', set, names: argument.argChoices };
  if (set === 'command') return { kind: 'name', set, names: commands };
  if (set === 'id') return { kind: 'name', set, names: [...requirements.map(({ id }) => id), ...checkIds] };
  return placeholderValue(set);
}

/** Throws for a new placeholder, whose kind must be decided. */
function placeholderValue(placeholder = ''): Value {
  const value = PLACEHOLDERS[placeholder];
  if (!value) throw new Error(`<${placeholder}>: has no kind; add it to PLACEHOLDERS in cli/completion/values.ts`);
  return value;
}

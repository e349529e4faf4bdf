import type { CommandTree } from './command-tree.ts';
import type { Value } from './values.ts';

type NamedValue = Extract<Value, { set: string }>;

/** The names that options and arguments accept, each set once. Sets with the same name and other names are numbered. */
export class NameSets {
  /** By the names, separated by spaces. */
  readonly #sets = new Map<string, string>();

  constructor({ commands }: CommandTree) {
    for (const { options, arguments: rest } of commands)
      for (const { value } of [...options, ...rest]) if (value && 'names' in value) this.#add(value);
  }

  /** `profile`, or `profile_2` for another set of that name. */
  nameOf({ names, set }: NamedValue): string {
    return this.#sets.get(names.join(' ')) ?? set;
  }

  /** Pairs of a set and its names, separated by spaces. */
  entries(): { set: string; names: string }[] {
    return [...this.#sets].map(([names, set]) => ({ set, names }));
  }

  #add({ names, set }: NamedValue): void {
    const key = names.join(' ');
    const earlier = [...this.#sets.values()].filter((each) => each.replace(/_\d+$/, '') === set).length;
    if (!this.#sets.has(key)) this.#sets.set(key, earlier === 0 ? set : `${set}_${earlier + 1}`);
  }
}

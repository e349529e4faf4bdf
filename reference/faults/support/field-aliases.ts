import type { Body } from '../../service/call.ts';

/** A body in which fields under another name replace the missing declared ones. `nameOf`: the declared name, or the same name. */
export function readAliases(body: Body, nameOf: (name: string) => string): Body {
  const entries = Object.entries(body).map(([name, value]): [string, unknown] => {
    const declared = nameOf(name);
    return [Object.hasOwn(body, declared) ? name : declared, value];
  });
  return Object.fromEntries(entries);
}

export const camelCaseOf = (name: string): string =>
  name.replace(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The declared name that differs only in case; otherwise the same name. */
export const ignoringCase =
  (declared: readonly string[]) =>
  (name: string): string =>
    declared.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name;

/** The declared names of some other names. */
export const byTable =
  (declared: Readonly<Record<string, string>>) =>
  (name: string): string =>
    declared[name] ?? name;

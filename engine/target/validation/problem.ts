/** Something that is wrong with a target file. */
export interface Problem {
  /** The field that it is about. */
  readonly path: readonly PropertyKey[];
  /** Begins with the field, then what was found, then what to write instead. */
  readonly text: string;
}

/** Without those about a field that an earlier one explains: the same field, or a field inside of it. */
export function withoutRedundant(problems: readonly Problem[]): Problem[] {
  const kept: Problem[] = [];
  for (const problem of problems) {
    if (!kept.some(({ path }) => isWithinField(path, problem.path))) kept.push(problem);
  }
  return kept;
}

function isWithinField(path: readonly PropertyKey[], outer: readonly PropertyKey[]): boolean {
  return outer.every((name, at) => path[at] === name);
}

/** A problem of a target file. */
export interface Problem {
  /** The field that it is about. */
  readonly path: readonly PropertyKey[];
  /** The field, then the value found, then the value to write instead. */
  readonly text: string;
}

/** Removes problems that an earlier problem explains: of the same field, or of a field inside it. */
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

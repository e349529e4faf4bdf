import type { Target } from '../../../specs/target-file/target.ts';
import { isLoopback } from '../network/loopback.ts';

/** A problem of a field of the target file: its path and one line of text. */
export interface FieldProblem {
  path: readonly string[];
  text: string;
}

const LITERAL_ADVICE =
  'found a literal value, which is accepted only for loopback targets; write ${SOME_NAME} and set that variable';

/** A problem if the file contains a literal text instead of a variable reference. `raw` is its content before references are filled in. */
export function literalProblems(
  { baseUrl }: Pick<Target, 'baseUrl'>,
  raw: unknown,
  path: readonly string[],
): FieldProblem[] {
  const found = path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], raw);
  if (typeof found !== 'string' || /\$\{/.test(found) || isLoopback(baseUrl)) return [];
  return [{ path, text: `${path.join('.')}: ${LITERAL_ADVICE}` }];
}

import type { Target } from '../../../specs/target.ts';
import { isLoopback } from '../loopback.ts';

/** What is wrong with a field of the target file: where it stands there, and one line. */
export interface FieldProblem {
  path: readonly string[];
  text: string;
}

const LITERAL_ADVICE =
  'a literal value is accepted for loopback targets only; write ${SOME_NAME} and set that variable';

/** A fault where the file holds a literal text in place of a secret. `raw` is its content before references were filled in. */
export function literalProblems(
  { baseUrl }: Pick<Target, 'baseUrl'>,
  raw: unknown,
  path: readonly string[],
): FieldProblem[] {
  const found = path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], raw);
  if (typeof found !== 'string' || /\$\{/.test(found) || isLoopback(baseUrl)) return [];
  return [{ path, text: `${path.join('.')}: ${LITERAL_ADVICE}` }];
}

/**
 * The command, the target file or the environment is wrong, and nothing was judged (exit 2).
 * Each problem is one line that names the field, what was found and what to write instead.
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(...problems: string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

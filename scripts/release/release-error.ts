/** What keeps a release from being made. Nothing in the repository has changed. */
export class ReleaseError extends Error {
  readonly problems: readonly string[];

  constructor(...problems: string[]) {
    super(problems.join('\n'));
    this.name = 'ReleaseError';
    this.problems = problems;
  }
}

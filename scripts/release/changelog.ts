import { ReleaseError } from './release-error.ts';

const UNRELEASED = '## [Unreleased]\n';

export interface ReleasedChangelog {
  /** The changelog with the section of the release, and an empty Unreleased section before it. */
  text: string;
  /** What the release changes, without a heading. */
  changes: string;
}

/** Moves the Unreleased section under the version and the day. Throws a ReleaseError if it is missing or has no entry. */
export function releaseChangelog(changelog: string, version: string, date: Date): ReleasedChangelog {
  const begin = changelog.indexOf(UNRELEASED);
  if (begin < 0)
    throw new ReleaseError('CHANGELOG.md: contains no line "## [Unreleased]"; add it with what has changed');
  const after = begin + UNRELEASED.length;
  const next = changelog.indexOf('\n## ', after);
  const end = next < 0 ? changelog.length : next + 1;
  const changes = changelog.slice(after, end).trim();
  if (!/^- /m.test(changes))
    throw new ReleaseError('CHANGELOG.md: the section Unreleased is empty; add what users of the kit can notice');
  const heading = `## [${version}] - ${date.toISOString().slice(0, 10)}`;
  const rest = changelog.slice(end);
  return {
    changes,
    text: `${changelog.slice(0, after)}\n${heading}\n\n${changes}\n${rest === '' ? '' : `\n${rest}`}`,
  };
}

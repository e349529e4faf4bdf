import { git, isTag } from './git.ts';

const BRANCH = 'main';
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** The tag of a version. */
export function tagOf(version: string): string {
  return `v${version}`;
}

/** What keeps the repository from releasing this version; empty if nothing does. */
export function releaseProblems(root: string, current: string, version: string): string[] {
  const problems: string[] = [];
  if (!VERSION.test(version)) problems.push(`<version>: found "${version}"; write three numbers, such as 0.2.0`);
  else if (!isLater(version, current))
    problems.push(`<version>: found ${version}, but package.json has ${current}; write a later version`);
  else if (isTag(root, tagOf(version)))
    problems.push(`<version>: the tag ${tagOf(version)} exists; write a later version`);
  const branch = git(root, 'rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== BRANCH) problems.push(`the branch is ${branch}; run "git switch ${BRANCH}"`);
  const changed = git(root, 'status', '--porcelain')
    .split('\n')
    .filter((line) => line !== '');
  if (changed.length > 0)
    problems.push(`${changed.length} changed or new files, such as ${changed[0]?.slice(3)}; commit or remove them`);
  return problems;
}

function isLater(version: string, current: string): boolean {
  const [one, other] = [numbers(version), numbers(current)];
  const at = one.findIndex((number, index) => number !== other[index]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
}

function numbers(version: string): number[] {
  return version.split('.').map(Number);
}

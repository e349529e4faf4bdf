import type { Requirement } from '../../specs/catalogue/requirement.ts';

/** The anchor of a requirement or a check in its page: `LIFE-02.small` has `life-02-small`. */
export function anchorOfId(id: string): string {
  return id.toLowerCase().replaceAll('.', '-');
}

/** `docs/requirements/lifecycle.md#life-02-small`: the entry of a requirement or one of its checks, relative to the package. */
export function pageLink({ area }: Pick<Requirement, 'area'>, id: string): string {
  return `docs/requirements/${area}.md#${anchorOfId(id)}`;
}

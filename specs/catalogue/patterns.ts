/** The names by which a pattern can select a check. */
export interface CheckNames {
  readonly id: string;
  readonly requirement: string;
  readonly area: string;
}

/**
 * Whether a pattern names a check: by its id, its requirement, the letters before the number of the requirement (`AUTH`), its area.
 * `*` stands for any characters. Ignores case and surrounding spaces.
 */
export function checkMatcher(pattern: string): (names: CheckNames) => boolean {
  const parts = pattern.trim().toLowerCase().split('*').map(escapeRegExp);
  const wanted = new RegExp(`^${parts.join('.*')}$`);
  return (names) => namesForPatterns(names).some((name) => wanted.test(name));
}

/** The names of a check that a pattern is compared with, in lower case. */
export function namesForPatterns({ id, requirement, area }: CheckNames): string[] {
  return [id, requirement, requirement.split('-')[0] ?? '', area].map((name) => name.toLowerCase());
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

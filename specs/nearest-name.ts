/** In lower case and without separators: `read_only` and `readOnly` become `readonly`. */
function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}

/** The candidate that differs from a name in a few letters at most; undefined if there is none. */
export function similarName(name: string, candidates: readonly string[]): string | undefined {
  const wanted = normalizeName(name);
  const same = candidates.find((candidate) => normalizeName(candidate) === wanted);
  if (same !== undefined || wanted.length < 3) return same;
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(wanted, normalizeName(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(normalizeName(candidate).length / 3)))
    .sort((one, other) => one.distance - other.distance);
  return best?.candidate;
}

/** The candidate that a mistyped or shortened name most probably means; undefined if none is similar. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  return similarName(name, candidates) ?? candidates.find((candidate) => isAbbreviation(name, candidate));
}

/** Whether one name is a part of the other (`url`, `baseUrl`), its initials (`rps`) or a shortening of it (`orgId`). */
function isAbbreviation(short: string, long: string): boolean {
  const [name, candidate] = [normalizeName(short), normalizeName(long)];
  if (Math.min(name.length, candidate.length) < 3) return false;
  if (candidate.includes(name) || name.includes(candidate)) return true;
  const initials =
    long[0] +
    long
      .slice(1)
      .replaceAll(/[^A-Z]/g, '')
      .toLowerCase();
  if (name === initials) return true;
  return name.length > 3 && name[0] === candidate[0] && isSubsequence(candidate, name);
}

function isSubsequence(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of text) if (letter === letters[at]) at += 1;
  return at === letters.length;
}

/** Letters to insert, remove, replace, or swap with their neighbour (optimal string alignment). */
export function editDistance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const above = rows[row - 1] ?? [];
      const replaced = (above[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      let least = Math.min(replaced, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1);
      if (one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        least = Math.min(least, (rows[row - 2]?.[column - 2] ?? 0) + 1);
      }
      line.push(least);
    }
    rows.push(line);
  }
  return rows[one.length]?.[other.length] ?? 0;
}

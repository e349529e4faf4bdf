/**
 * The smallest set of members that still fails (delta debugging), or the smallest found until `until`, in milliseconds
 * of `performance.now()`. `firstFailing` tries several groups and returns the index of the first failing one, or -1.
 * Empty if the whole set passes when repeated.
 */
export async function minimalFailingSet(
  members: readonly string[],
  firstFailing: (groups: readonly (readonly string[])[]) => Promise<number>,
  until: number = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> {
  if ((await firstFailing([members])) < 0) return [];
  let left = members;
  for (let parts = 2; left.length > 1 && performance.now() < until; ) {
    const pieces = splitEvenly(left, parts);
    const rests = parts > 2 ? pieces.map((piece) => left.filter((member) => !piece.includes(member))) : [];
    const smaller = [...pieces, ...rests];
    const failing = smaller[await firstFailing(smaller)];
    if (failing) {
      parts = failing.length < left.length / 2 ? 2 : Math.max(2, parts - 1);
      left = failing;
    } else if (parts < left.length) {
      parts = Math.min(left.length, parts * 2);
    } else {
      break;
    }
  }
  return left;
}

function splitEvenly(members: readonly string[], parts: number): string[][] {
  const size = Math.ceil(members.length / parts);
  return Array.from({ length: Math.ceil(members.length / size) }, (_, at) => members.slice(at * size, (at + 1) * size));
}

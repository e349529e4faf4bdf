/** Deeper than anything that the contract shows or that a reader would follow. */
const DEEPEST = 200;

/**
 * A parsed JSON value in which everything below a depth that no invoice has is cut off: serializing, comparing and masking
 * recurse, and would overflow the stack on what JSON.parse still reads.
 */
export function shallow(root: unknown): unknown {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (value === null || typeof value !== 'object') continue;
    if (depth >= DEEPEST) {
      empty(value);
      continue;
    }
    for (const inner of Object.values(value)) open.push({ value: inner, depth: depth + 1 });
  }
  return root;
}

function empty(value: object): void {
  if (Array.isArray(value)) value.length = 0;
  else for (const name of Object.keys(value)) delete (value as Record<string, unknown>)[name];
}

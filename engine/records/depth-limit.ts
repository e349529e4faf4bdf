/** Deeper than any value in the contract. */
const MAX_JSON_DEPTH = 200;

/**
 * A parsed JSON value without its deepest levels. Serializing, comparing and masking are recursive, and would overflow
 * the stack with values that JSON.parse still accepts.
 */
export function limitDepth(root: unknown): unknown {
  let level = [root].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= MAX_JSON_DEPTH) {
      for (const value of level) removeMembers(value);
      return root;
    }
    const below: object[] = [];
    for (const value of level) {
      for (const inner of Object.values(value)) if (isContainer(inner)) below.push(inner);
    }
    level = below;
  }
  return root;
}

function isContainer(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}

function removeMembers(value: object): void {
  if (Array.isArray(value)) value.length = 0;
  else for (const name of Object.keys(value)) delete (value as Record<string, unknown>)[name];
}

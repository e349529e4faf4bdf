/** A secret in a text: its range, and what replaces it. */
export interface SecretMatch {
  start: number;
  end: number;
  label: string;
}

/** The text with a placeholder such as `<seller.secret>` for every match. Overlapping matches get one placeholder. */
export function replaceMatches(text: string, hits: readonly SecretMatch[]): string {
  if (hits.length === 0) return text;
  const pieces: string[] = [];
  let kept = 0;
  for (const { start, end, label } of mergeOverlaps(hits)) {
    pieces.push(text.slice(kept, start), `<${label}>`);
    kept = end;
  }
  return [...pieces, text.slice(kept)].join('');
}

/**
 * In order and without overlaps. Of two that overlap, the label of the first is kept; of two with the same start, that
 * of the longer one.
 */
function mergeOverlaps(hits: readonly SecretMatch[]): SecretMatch[] {
  const apart: SecretMatch[] = [];
  for (const hit of [...hits].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1);
    if (last !== undefined && hit.start < last.end) last.end = Math.max(last.end, hit.end);
    else apart.push({ ...hit });
  }
  return apart;
}

/** A secret in a text: its range, and what replaces it. */
export interface SecretMatch {
  start: number;
  end: number;
  label: string;
}

/** The text with a placeholder such as `<seller.secret>` for every hit. Hits that overlap get one placeholder. */
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

/** In order and apart from each other. Of two that overlap, the label of the first remains; of two that begin together, the longer one's. */
function mergeOverlaps(hits: readonly SecretMatch[]): SecretMatch[] {
  const apart: SecretMatch[] = [];
  for (const hit of [...hits].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1);
    if (last !== undefined && hit.start < last.end) last.end = Math.max(last.end, hit.end);
    else apart.push({ ...hit });
  }
  return apart;
}

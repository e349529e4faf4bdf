/** Text of the catalogue as Markdown: marks of emphasis and HTML are escaped, except in code spans. */
export function escapeText(text: string): string {
  const parts = text.split(/(`[^`]+`)/);
  return parts.map((part, at) => (at % 2 === 0 ? part.replace(/(?<![A-Za-z0-9])_|[*<|[]/g, '\\$&') : part)).join('');
}

/** The anchor that GitHub gives to a heading. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** `rate-limits` as a title: `Rate limits`. */
export function areaTitle(area: string): string {
  return `${area.charAt(0).toUpperCase()}${area.slice(1)}`.replaceAll('-', ' ');
}

export function codeList(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

import { escapeControlCharacters } from '../../text/escape-control-characters.ts';

/** Trusted HTML. Create it with `markup`, which escapes untrusted text. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Slot = string | number | Markup | readonly Markup[] | null;

/** An HTML template tag: escapes strings, inserts other markup unchanged, omits null. */
export function markup(strings: TemplateStringsArray, ...slots: readonly Slot[]): Markup {
  let text = '';
  for (const [index, string] of strings.entries()) text += string + renderSlot(slots[index] ?? null);
  return new Markup(text);
}

/** Text of the catalogue, in which backticks mark names of fields and values. */
export function withCode(text: string): Markup {
  const parts = text.split('`');
  // An odd backtick marks nothing.
  if (parts.length % 2 === 0) return markup`${text}`;
  return joinMarkup(parts.map((part, at) => (at % 2 === 0 ? markup`${part}` : markup`<code>${part}</code>`)));
}

/** Joins parts with a separator. */
export function joinMarkup(parts: readonly Markup[], separator = ''): Markup {
  return new Markup(parts.map((part) => part.text).join(separator));
}

function renderSlot(slot: Slot): string {
  if (slot === null) return '';
  if (slot instanceof Markup) return slot.text;
  if (typeof slot === 'string' || typeof slot === 'number') return escapeHtml(escapeControlCharacters(String(slot)));
  return slot.map((part) => part.text).join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

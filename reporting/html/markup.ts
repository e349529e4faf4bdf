import { escapeControlCharacters } from '../escape-control-characters.ts';

/** Text that is already HTML. Only `markup` makes it, so that nothing foreign gets in unescaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Slot = string | number | Markup | readonly Markup[] | null;

/** HTML with slots: strings are made inert, other markup is put in as it is, null leaves nothing. */
export function markup(strings: TemplateStringsArray, ...slots: readonly Slot[]): Markup {
  let text = '';
  for (const [index, string] of strings.entries()) text += string + renderSlot(slots[index] ?? null);
  return new Markup(text);
}

/** The parts, one after the other. */
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

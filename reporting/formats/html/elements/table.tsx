/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';

interface ScrollBoxProps {
  /** A class of the style sheet of the page. */
  readonly kind: string;
  /** For readers who cannot see the table. */
  readonly name: string;
  readonly children: Child;
}

/** A box in which a wide table scrolls, also with the keyboard. */
export function ScrollBox({ kind, name, children }: ScrollBoxProps) {
  return (
    <section class={`card ${kind}`} tabindex={0} aria-label={name}>
      {children}
    </section>
  );
}

/** A box to tick that hides the rows of class `steady` in its section, without a script. */
export function RowFilter({ id, text }: { id: string; text: string }) {
  return (
    <p class="row-filter">
      <label>
        <input type="checkbox" id={id} /> {text}
      </label>
    </p>
  );
}

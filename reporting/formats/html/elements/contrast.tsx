/** @jsxRuntime automatic @jsxImportSource hono/jsx */

/** The expected and the actual result next to each other; nothing for an empty text. */
export function Contrast({ expected, actual }: { expected: string; actual: string }) {
  return (
    <dl class="contrast">
      <Fact kind="expected" name="Expected" text={expected} />
      <Fact kind="actual" name="Actual" text={actual} />
    </dl>
  );
}

function Fact({ kind, name, text }: { kind: string; name: string; text: string }) {
  if (text === '') return null;
  return (
    <div class={kind}>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  );
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceMatches } from '../../../../engine/evidence/masking/match.ts';
import { MultiPatternReplacer } from '../../../../engine/evidence/masking/multi-pattern-replacer.ts';

function masked(masks: MultiPatternReplacer, text: string): string {
  return replaceMatches(text, masks.findMatches(text));
}

/** A simple implementation of masking that searches every place in turn. */
function plainly(texts: readonly string[], text: string): string {
  const at = (place: number) =>
    [...texts].sort((a, b) => b.length - a.length).find((each) => text.startsWith(each, place));
  let masked = '';
  for (let place = 0; place < text.length; ) {
    const found = at(place);
    if (found === undefined) {
      masked += text[place];
      place += 1;
      continue;
    }
    let end = place + found.length;
    for (let inner = place + 1; inner < end; inner += 1) end = Math.max(end, inner + (at(inner)?.length ?? 0));
    masked += `<${found}>`;
    place = end;
  }
  return masked;
}

const word = fc.array(fc.constantFrom('a', 'b', 'ä', '1'), { minLength: 3, maxLength: 16 }).map((all) => all.join(''));
const gap = fc.array(fc.constantFrom('a', 'b', 'ä', '1', ' '), { maxLength: 20 }).map((all) => all.join(''));

test('a secret is found after any text and among secrets of any length', () => {
  const cases = fc
    .uniqueArray(word, { minLength: 1, maxLength: 6 })
    .chain((texts) =>
      fc.record({ texts: fc.constant(texts), parts: fc.array(fc.oneof(gap, fc.constantFrom(...texts))) }),
    );
  fc.assert(
    fc.property(cases, ({ texts, parts }) => {
      const masks = new MultiPatternReplacer();
      for (const text of texts) masks.add(text, text);
      expect(masked(masks, parts.join(''))).toBe(plainly(texts, parts.join('')));
    }),
    { numRuns: 2_000 },
  );
});

test('a shorter secret than the earlier ones is found', () => {
  const masks = new MultiPatternReplacer();
  masks.add('a-long-secret', 'long');
  expect(masked(masks, 'xx abcd xx')).toBe('xx abcd xx');
  masks.add('abcd', 'short');
  expect(masked(masks, 'abcd xx a-long-secretabcd')).toBe('<short> xx <long><short>');
});

import { expect, test } from 'vitest';
import { descriptionTexts, isEquivalentText } from '../../../helpers/data/description-text.ts';

const SENT = `"q" 'a' R&D < > \\ / &amp; e\u0301`;

test.each([
  ['unchanged', SENT],
  ['in composed form', SENT.normalize('NFC')],
  ['escaped for HTML', '&quot;q&quot; &#39;a&#39; R&amp;D &lt; &gt; \\ / &amp;amp; \u00e9'],
  ['escaped for HTML with numbers', '&#34;q&#34; &#x27;a&#x27; R&#38;D &#60; &#x3E; &#92; &#x2F; &#38;amp; \u00e9'],
  ['escaped for HTML except for apostrophes', "&quot;q&quot; 'a' R&amp;D &lt; &gt; \\ / &amp;amp; \u00e9"],
  ['escaped for HTML except for quotes', `"q" 'a' R&amp;D &lt; &gt; \\ / &amp;amp; \u00e9`],
])('a text that is returned %s is the same', (_, told) => {
  expect(isEquivalentText(told, SENT)).toBe(true);
});

test.each([
  ['partly escaped', `"q" &#39;a&#39; R&D < > \\ / &amp; e\u0301`],
  ['with its entity decoded', `"q" 'a' R&D < > \\ / & e\u0301`],
  ['escaped twice', '&amp;quot;q&amp;quot; &#39;a&#39; R&amp;amp;D &amp;lt; &amp;gt; \\ / &amp;amp;amp; \u00e9'],
  ['cut', SENT.slice(0, -4)],
  ['with an invalid entity number', '&quot;q&#9999999;'],
])('a text that is returned %s is different', (_, told) => {
  expect(isEquivalentText(told, SENT)).toBe(false);
});

test.each([
  ['a text', 'one', ['one']],
  ['a text with its language', { text: 'one', language: null }, ['one']],
  ['two texts', ['one', 'two'], ['one', 'two', 'onetwo', 'one two', 'one\ntwo']],
  ['a number', 0, ['0']],
  ['nothing', null, []],
])('the texts of a description that is %s', (_, description, texts) => {
  expect(descriptionTexts(description)).toEqual(texts);
});

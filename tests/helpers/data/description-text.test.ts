import { expect, test } from 'vitest';
import { descriptionTexts, isEquivalentText } from '../../../helpers/data/description-text.ts';

const SENT = `"q" 'a' R&D < > \\ / &amp; e\u0301`;

test.each([
  ['as it was', SENT],
  ['composed', SENT.normalize('NFC')],
  ['ready for a page', '&quot;q&quot; &#39;a&#39; R&amp;D &lt; &gt; \\ / &amp;amp; \u00e9'],
  ['ready for a page, by numbers', '&#34;q&#34; &#x27;a&#x27; R&#38;D &#60; &#x3E; &#92; &#x2F; &#38;amp; \u00e9'],
  ['ready for a page, with its apostrophes', "&quot;q&quot; 'a' R&amp;D &lt; &gt; \\ / &amp;amp; \u00e9"],
  ['ready to stand between tags', `"q" 'a' R&amp;D &lt; &gt; \\ / &amp;amp; \u00e9`],
])('a text that is returned %s is the same', (_, told) => {
  expect(isEquivalentText(told, SENT)).toBe(true);
});

test.each([
  ['with some of it escaped', `"q" &#39;a&#39; R&D < > \\ / &amp; e\u0301`],
  ['with its entity read', `"q" 'a' R&D < > \\ / & e\u0301`],
  ['escaped twice', '&amp;quot;q&amp;quot; &#39;a&#39; R&amp;amp;D &amp;lt; &amp;gt; \\ / &amp;amp;amp; \u00e9'],
  ['cut', SENT.slice(0, -4)],
  ['with a number that is no character', '&quot;q&#9999999;'],
])('a text that is returned %s is different', (_, told) => {
  expect(isEquivalentText(told, SENT)).toBe(false);
});

test.each([
  ['a text', 'one', ['one']],
  ['a text beside its language', { text: 'one', language: null }, ['one']],
  ['two of them', ['one', 'two'], ['one', 'two', 'onetwo', 'one two', 'one\ntwo']],
  ['a number', 0, ['0']],
  ['nothing', null, []],
])('from %s these texts are shown', (_, description, texts) => {
  expect(descriptionTexts(description)).toEqual(texts);
});

import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/catalogue/catalogue.ts';
import { contractPlaces } from '../../specs/contract/contract-places.ts';
import { documentLines, messageTexts, testTitles } from './message-texts.ts';

/** Words that docs/GLOSSARY.md has retired, and relative clauses as subjects. */
const RETIRED =
  /\b(told|tells|anew|alike|whoever|whatever|whichever|beside|dressed|undressed|unheard|nobody|refus\w+|unmoved|doubles|unfunded|over again|in vain|for want of|put off|turned away|no such|is none|leaves no trace|by itself)\b|^(What|Who|Whose) (?!.*\?)/i;
/** The retired words that have no other meaning in a message, a title or a page. */
const RETIRED_EVERYWHERE =
  /\b(told|anew|alike|whoever|whichever|beside|dressed|undressed|unheard|nobody|(?<!connection )refus(?:e[ds]?|als?|ing)|unmoved|unfunded|over again|in vain|for want of|want of funds|put off|turned away|let through|by itself|by themselves|honest servers?|reads? that go(?:es)? back|persistently|vigil|sounding|volleys?|gatherings?|others'|strangers?(?:'s)?|left behind|leaves behind|answer(?:s|ed) with|no trace)\b/i;
const RELATIVE_ENDING = /\b(too|either|again)\.?$/i;

const sentences = requirements.flatMap(({ id, statement, derived, checks }) => [
  { where: `${id} statement`, text: statement },
  ...derived.flatMap(({ rule, because }) => [
    { where: `${id} derived`, text: rule },
    { where: `${id} because`, text: because },
  ]),
  ...checks.map((check) => ({ where: check.id, text: check.title })),
]);

describe('the language of the catalogue', () => {
  test('has no retired word', () => {
    expect(sentences.filter(({ text }) => RETIRED.test(text))).toEqual([]);
  });

  test('lets every sentence stand alone', () => {
    expect(sentences.filter(({ text }) => RELATIVE_ENDING.test(text))).toEqual([]);
  });

  test('gives no two checks the same title', () => {
    const titles = requirements.flatMap(({ checks }) => checks.map(({ title }) => title));
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
  });

  test('names a place of the contract for each requirement', () => {
    const places = requirements.flatMap(({ id, place }) => place.split('; ').map((each) => ({ id, place: each })));
    expect(places.filter(({ place }) => !contractPlaces.has(place))).toEqual([]);
  });
});

describe.each(['cli', 'engine', 'helpers', 'suites', 'reporting'])('the messages of %s', (folder) => {
  test('have no retired word', () => {
    expect(messageTexts(folder).filter(({ text }) => RETIRED_EVERYWHERE.test(text))).toEqual([]);
  });
});

describe('the docs', () => {
  test('have no retired word', () => {
    expect(documentLines().filter(({ text }) => RETIRED_EVERYWHERE.test(text))).toEqual([]);
  });
});

describe('the titles of the tests', () => {
  test('have no retired word', () => {
    expect(testTitles().filter(({ text }) => RETIRED_EVERYWHERE.test(text))).toEqual([]);
  });
});

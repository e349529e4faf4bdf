import { describe, expect, test } from 'vitest';
import { Cancelled } from '../../../cli/init/cancelled.ts';
import type { GivenActors } from '../../../cli/init/given-values.ts';
import { askBaseUrl, askCredentials, askReplacement } from '../../../cli/init/questions.ts';
import { CTRL_C, DOWN, ENTER, ESC, type Reply, SPACE, scriptedTerminal } from './support/terminal.ts';

const EXAMPLE = 'https://example.test';
const BASE_URL = 'https://a.example';

async function credentials(replies: readonly Reply[], known: GivenActors = {}, baseUrl = BASE_URL) {
  const { streams, shown } = scriptedTerminal(replies);
  const given = await askCredentials(baseUrl, known, streams);
  const values = Object.entries(given).flatMap(([actor, parts]) =>
    Object.entries(parts).map(([part, { value, variable, source }]) => [`${actor}.${part}`, value, variable, source]),
  );
  return { values, shown: shown() };
}

const SELLER: Reply[] = [
  ['seller: key', 'svc_sand_k', ENTER],
  ['seller: secret', 'hidden-one', ENTER],
];
const NO_BUYER: Reply = ['buyer: key', ENTER];
const NO_MORE: Reply = ['Add keys of further actors', ENTER];
const TYPED_SELLER = [
  ['seller.key', 'svc_sand_k', 'SELLER_KEY', 'terminal'],
  ['seller.secret', 'hidden-one', 'SELLER_SECRET', 'terminal'],
];

describe('the base URL', () => {
  test('is what the user types', async () => {
    const { streams } = scriptedTerminal([['Base URL', 'http://b.example/x ', ENTER]]);
    expect(await askBaseUrl(EXAMPLE, streams)).toBe('http://b.example/x');
  });

  test('is the example after Enter', async () => {
    const { streams } = scriptedTerminal([['Base URL', ENTER]]);
    expect(await askBaseUrl(EXAMPLE, streams)).toBe(EXAMPLE);
  });

  test('is asked for again if it is malformed', async () => {
    const { streams, shown } = scriptedTerminal([
      ['Base URL', 'b.example', ENTER],
      ['write an absolute http or https URL', '\x15', 'http://b.example', ENTER],
    ]);
    expect(await askBaseUrl(EXAMPLE, streams)).toBe('http://b.example');
    expect(shown()).toContain('found "b.example"');
  });
});

describe('the keys', () => {
  test('are asked for, and are never shown', async () => {
    const { values, shown } = await credentials([
      ...SELLER,
      ['buyer: key', 'svc_sand_b', ENTER],
      ['buyer: secret', 'hidden-two', ENTER],
      NO_MORE,
    ]);
    expect(values).toEqual([
      ...TYPED_SELLER,
      ['buyer.key', 'svc_sand_b', 'BUYER_KEY', 'terminal'],
      ['buyer.secret', 'hidden-two', 'BUYER_SECRET', 'terminal'],
    ]);
    expect(shown).not.toMatch(/svc_sand|hidden/);
  });

  test('of the buyer may be skipped', async () => {
    expect((await credentials([...SELLER, NO_BUYER, NO_MORE])).values).toEqual(TYPED_SELLER);
  });

  test('of further actors are asked for if the user wants them', async () => {
    const { values } = await credentials([
      ...SELLER,
      NO_BUYER,
      ['Add keys of further actors', 'y'],
      ['Which actors?', DOWN, SPACE, ENTER],
      ['readOnly: key', 'svc_sand_r', ENTER],
      ['readOnly: secret', 'hidden-r', ENTER],
    ]);
    expect(values).toEqual([
      ...TYPED_SELLER,
      ['readOnly.key', 'svc_sand_r', 'READ_ONLY_KEY', 'terminal'],
      ['readOnly.secret', 'hidden-r', 'READ_ONLY_SECRET', 'terminal'],
    ]);
  });

  test('that are known are not asked for', async () => {
    const value = (text: string, variable: string) => ({ value: text, variable, source: 'environment' }) as const;
    const known: GivenActors = {
      seller: { key: value('svc_sand_k', 'CONFORMANCE_SELLER_KEY') },
      buyer: { key: value('svc_sand_b', 'BUYER_KEY'), secret: value('b', 'BUYER_SECRET') },
    };
    const { values, shown } = await credentials([['seller: secret', 'x', ENTER], NO_MORE], known);
    expect(values).toContainEqual(['seller.secret', 'x', 'CONFORMANCE_SELLER_SECRET', 'terminal']);
    expect(shown).not.toMatch(/seller: key|buyer/);
  });

  test.each([
    ['an empty seller key', ['seller: key', ENTER], 'write the key'],
    ['a production key', ['seller: key', 'svc_prod_x', ENTER], 'starts with svc_prod_'],
    ['a key with a trailing space', ['seller: key', 'svc_sand_x ', ENTER], 'trailing space'],
  ] as const)('are asked for again after %s', async (_, reply, advice) => {
    const again: Reply = [advice, '\x15', 'svc_sand_k', ENTER];
    const { values } = await credentials([reply, again, ...SELLER.slice(1), NO_BUYER, NO_MORE]);
    expect(values).toEqual(TYPED_SELLER);
  });

  test('of two actors must differ', async () => {
    const { values } = await credentials([
      ...SELLER,
      ['buyer: key', 'svc_sand_k', ENTER],
      ['is the same as actors.seller.key', '\x15', 'svc_sand_b', ENTER],
      ['buyer: secret', 'b', ENTER],
      NO_MORE,
    ]);
    expect(values).toContainEqual(['buyer.key', 'svc_sand_b', 'BUYER_KEY', 'terminal']);
  });

  test('are asked for with a warning if they would travel unencrypted', async () => {
    const replies = [...SELLER, NO_BUYER, NO_MORE];
    const open = await credentials(replies, {}, 'http://a.example');
    expect(open.shown).toContain('is not encrypted');
    expect((await credentials(replies, {}, 'http://127.0.0.1:1')).shown).not.toContain('is not encrypted');
  });
});

test.each([
  ['y', true],
  ['n', false],
  [ENTER, false],
])('a variable is replaced after %j: %s', async (key, isReplaced) => {
  const { streams } = scriptedTerminal([['SELLER_KEY is already in .env', key]]);
  expect(await askReplacement('SELLER_KEY', '.env', streams)).toBe(isReplaced);
});

describe.each([
  ['Ctrl-C', CTRL_C],
  ['Esc', ESC],
])('%s cancels', (_, key) => {
  test.each([
    ['the base URL', [['Base URL', key]], (streams) => askBaseUrl(EXAMPLE, streams)],
    ['a key', [['seller: key', key]], (streams) => askCredentials(BASE_URL, {}, streams)],
    [
      'a secret',
      [
        ['seller: key', 'k', ENTER],
        ['seller: secret', 's', key],
      ],
      (streams) => askCredentials(BASE_URL, {}, streams),
    ],
    [
      'the further actors',
      [...SELLER, NO_BUYER, ['Add keys', key]],
      (streams) => askCredentials(BASE_URL, {}, streams),
    ],
    [
      'their choice',
      [...SELLER, NO_BUYER, ['Add keys', 'y'], ['Which', key]],
      (streams) => askCredentials(BASE_URL, {}, streams),
    ],
    ['a replacement', [['is already in', key]], (streams) => askReplacement('A', '.env', streams)],
  ] as [string, Reply[], (streams: object) => Promise<unknown>][])('at %s', async (__, replies, ask) => {
    await expect(ask(scriptedTerminal(replies).streams)).rejects.toBeInstanceOf(Cancelled);
  });
});

test('a signal cancels the question that is open', async () => {
  const controller = new AbortController();
  const asked = askBaseUrl(EXAMPLE, { ...scriptedTerminal([]).streams, signal: controller.signal });
  setImmediate(() => controller.abort());
  await expect(asked).rejects.toBeInstanceOf(Cancelled);
});

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { root, userPages } from './markdown-pages.ts';

const ROOMS = ['cli', 'engine', 'helpers', 'reporting', 'specs'];
/** Shorter pieces occur everywhere. */
const MIN_PIECE_LENGTH = 13;
const MIN_MESSAGES = 35;

const sources = ROOMS.flatMap((room) =>
  readdirSync(new URL(`${room}/`, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|yaml)$/.test(name))
    .map((name) => readFileSync(new URL(`${room}/${name}`, root), 'utf8')),
)
  .join('\n')
  // A template text escapes the ${ of a message.
  .replaceAll('\\${', '${');

/** The constant pieces of a message, which `…` separates from what varies. */
function constantPieces(message: string): string[] {
  return message
    .split('…')
    .map((piece) => piece.trim())
    .filter((piece) => piece.length >= MIN_PIECE_LENGTH);
}

function unknownPieces(message: string): string[] {
  return constantPieces(message).filter((piece) => !sources.includes(piece));
}

const page = userPages().find(({ path }) => path === 'docs/troubleshooting.md');
const messages = [...(page?.prose ?? '').matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading);

describe('docs/troubleshooting.md', () => {
  test('has an entry for each message that users often meet', () => {
    expect(messages.length).toBeGreaterThanOrEqual(MIN_MESSAGES);
    expect(messages.filter((message, at) => messages.indexOf(message) !== at)).toEqual([]);
  });

  test.each(messages)('%s is a message of the kit', (heading) => {
    const [, message] = /^`([^`]+)`$/.exec(heading) ?? [];
    if (message === undefined) throw new Error('write the message between backticks');
    expect(constantPieces(message)).not.toEqual([]);
    expect(unknownPieces(message)).toEqual([]);
  });

  test('the comparison finds a message that the kit does not have', () => {
    expect(unknownPieces('no listed invoice shows … this identifier')).toEqual(['this identifier']);
  });
});

import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { TerminalStreams } from '../../../../cli/init/questions.ts';

export const ENTER = '\r';
export const ESC = '\x1b';
export const CTRL_C = '\x03';
export const DOWN = '\x1b[B';
export const SPACE = ' ';

/** A part of a question, and the keys that the user presses when it appears. */
export type Reply = readonly [question: string, ...keys: string[]];

/** A terminal in which someone replies to questions in this order. */
export function scriptedTerminal(replies: readonly Reply[]): { streams: TerminalStreams; shown: () => string } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const left = [...replies];
  let [all, unanswered] = ['', ''];
  output.setEncoding('utf8').on('data', (text: string) => {
    all += text;
    unanswered += stripVTControlCharacters(text);
    const [question, ...keys] = left[0] ?? [];
    if (question === undefined || !unanswered.includes(question)) return;
    left.shift();
    unanswered = '';
    // The question listens for keys once it is shown.
    for (const key of keys) setImmediate(() => input.write(key));
  });
  return { streams: { input, output }, shown: () => all };
}

import type { Page } from './markdown-pages.ts';

/** A command of the kit in a block of shell code, or in a sentence. */
export interface DocumentedCommand {
  readonly page: string;
  readonly line: string;
  /** The arguments behind `conformance`. */
  readonly args: readonly string[];
}

/** The commands of a page: the lines of its shell blocks, and the code in its sentences that is more than the name of a command. */
export function commandsOf({ path, text, prose }: Page): DocumentedCommand[] {
  const blocks = [...text.matchAll(/^( *)```(?:sh|console|yaml|groovy)\n([\s\S]*?)^\1```/gm)].map(
    ([, , code = '']) => code,
  );
  const lines = blocks.flatMap((code) => code.replaceAll(/\\\n\s*/g, '').split('\n'));
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const isInSentence = new Set(spans);
  return [...lines, ...spans].flatMap((line) => {
    const [, rest] = /(?:^|[\s;|&])npx (?:conformance|invoicing-network-conformance\S*) (.*)$/.exec(line) ?? [];
    // A placeholder for the rest of a command is not a command.
    if (rest === undefined || rest.includes('…') || rest.includes('"$@"')) return [];
    const args = shellWords(rest);
    // A sentence may name a command without its arguments.
    return args.length < 2 && isInSentence.has(line) ? [] : [{ page: path, line: line.trim(), args }];
  });
}

/** The words up to a comment, a pipe or a redirection. Quotes join words. */
function shellWords(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)) {
    if (/^(#|\||>|&&|;)/.test(word)) break;
    words.push(word.replaceAll(/["']/g, '').replace(/;$/, ''));
  }
  return words;
}

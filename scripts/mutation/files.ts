import { mkdirSync, writeFileSync } from 'node:fs';

const OUTPUT_FOLDER = 'reports/mutation';

/** The files that one of the patterns names. In a pattern, `*` stands for any characters. */
export function matchingFiles(files: readonly string[], patterns: readonly string[]): string[] {
  const expressions = patterns.map((each) => new RegExp(`^${each.replaceAll('.', '\\.').replaceAll('*', '.*')}$`));
  const found = files.filter((file) => expressions.some((expression) => expression.test(file)));
  if (found.length === 0) throw new Error(`no file of ${files.join(', ')} matches ${patterns.join(' or ')}`);
  return found;
}

/** Prints the lines, and stores them in a file that is named after the mutated one. */
export function writeResult(file: string, lines: readonly string[]): void {
  console.log(lines.join('\n'));
  mkdirSync(OUTPUT_FOLDER, { recursive: true });
  writeFileSync(`${OUTPUT_FOLDER}/${file.replaceAll('/', '-')}.txt`, `${lines.join('\n')}\n`);
}

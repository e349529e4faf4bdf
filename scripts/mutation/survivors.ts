import { readFileSync } from 'node:fs';
import type { Stryker } from '@stryker-mutator/core';

export type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

/** Whether tests ran against the mutant. */
export const isTested = ({ status }: MutantResult): boolean => status !== 'Ignored' && status !== 'CompileError';

export const isAlive = ({ status }: MutantResult): boolean => status === 'Survived' || status === 'NoCoverage';

/** One line for each mutant: position, original text and replacement. */
export function formatMutants(file: string, mutants: readonly MutantResult[]): string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return mutants.map(({ location: { start, end }, mutatorName, replacement, status }) => {
    const line = lines[start.line - 1] ?? '';
    const was = line.slice(start.column - 1, start.line === end.line ? end.column - 1 : undefined);
    const reached = status === 'NoCoverage' ? ', never reached' : '';
    return `  ${file}:${start.line} ${mutatorName}${reached}: ${was} -> ${(replacement ?? '').split('\n').join(' ')}`;
  });
}

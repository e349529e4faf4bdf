/** One line of the table. */
export interface Figure {
  figure: string;
  measured: string;
  bound: string;
  kept: boolean;
  /** The values behind the figure. */
  detail: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [lower, upper] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  if (lower === undefined || upper === undefined) throw new Error('there are no measured values');
  return (lower + upper) / 2;
}

/** A figure whose ratio must not exceed its bound. */
export function ratioFigure(figure: string, measured: number, bound: number, detail: string): Figure {
  return { figure, measured: measured.toFixed(2), bound: `≤ ${bound}`, kept: measured <= bound, detail };
}

/** Repeats a measurement sequentially. */
export async function repeatRounds<T>(times: number, measure: (round: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < times; round += 1) results.push(await measure(round));
  return results;
}

export const formatSeconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

import { InvalidArgumentError } from 'commander';

/** A parser that rejects an empty value, such as that of an unset variable of a script. `advice` tells the user what to write. */
export function nonEmptyParser(advice: string): (text: string) => string {
  return (text) => {
    if (text.trim() === '') throw new InvalidArgumentError(`${advice}.`);
    return text;
  };
}

/** The number that plain decimal digits write; null for any other text, and beyond the safe integers. The one rule of all options. */
export function numberOfDigits(text: string): number | null {
  const number = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(number) ? number : null;
}

/** A parser that throws an InvalidArgumentError with the advice for anything but the digits of a number from `least` to `most`. */
export function wholeNumberParser(
  advice: string,
  { least = 0, most = Number.MAX_SAFE_INTEGER }: { least?: number; most?: number } = {},
): (text: string) => number {
  return (text) => {
    const number = numberOfDigits(text);
    if (number === null || number < least || number > most) throw new InvalidArgumentError(`${advice}.`);
    return number;
  };
}

export const parseSeed = wholeNumberParser('write a whole number');

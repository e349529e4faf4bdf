import { InvalidArgumentError } from 'commander';

/** A parser that rejects an empty value, such as that of an unset variable of a script. `advice` tells the user what to write. */
export function nonEmptyParser(advice: string): (text: string) => string {
  return (text) => {
    if (text.trim() === '') throw new InvalidArgumentError(`${advice}.`);
    return text;
  };
}

/** Throws an InvalidArgumentError for anything but the digits of a safe integer. */
export function parseWholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw new InvalidArgumentError('write a whole number.');
  return number;
}

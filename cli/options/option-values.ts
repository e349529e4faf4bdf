import { InvalidArgumentError } from 'commander';

/** A parser that rejects an empty value, such as that of an unset variable of a script. `advice` tells the user what to write. */
export function nonEmptyParser(advice: string): (text: string) => string {
  return (text) => {
    if (text.trim() === '') throw new InvalidArgumentError(`${advice}.`);
    return text;
  };
}

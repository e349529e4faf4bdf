import { InvalidArgumentError } from 'commander';

/** Reads a value as it is, and refuses an empty one: a variable of a script was not set. `advice` says what to write. */
export function nonEmptyParser(advice: string): (text: string) => string {
  return (text) => {
    if (text.trim() === '') throw new InvalidArgumentError(`${advice}.`);
    return text;
  };
}

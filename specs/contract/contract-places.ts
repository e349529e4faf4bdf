import { z } from 'zod';
import { readDataFile } from '../data.ts';

const part = z.strictObject({
  part: z.string(),
  rules: z.number().int().default(0),
  rows: z.array(z.union([z.string(), z.number()]).transform(String)).default([]),
});

/** Every place in the contract that a requirement may name, such as `Create invoice, rule 4`. */
export const contractPlaces: ReadonlySet<string> = new Set(
  z
    .array(part)
    .parse(readDataFile('contract/contract-places'))
    .flatMap(({ part: name, rules, rows }) => [
      `${name}, text`,
      ...Array.from({ length: rules }, (_, at) => `${name}, rule ${at + 1}`),
      ...rows.map((row) => `${name}, row ${row}`),
    ]),
);

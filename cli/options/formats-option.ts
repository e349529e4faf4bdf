import { InvalidArgumentError, Option } from 'commander';
import { type FormatName, formats } from '../../reporting/formats/formats.ts';
import { parseCommaList } from './selection-options.ts';

/** A folder of files. */
export const ALLURE = 'allure';
/** Written from the journal; all other formats are derived from the report. */
export const HAR = 'har';

export type OutputFormat = FormatName | typeof ALLURE | typeof HAR;

export const formatNames: readonly OutputFormat[] = [...(Object.keys(formats) as FormatName[]), HAR, ALLURE];
export const defaultFormats: readonly OutputFormat[] = ['json', 'html', 'junit', 'markdown'];

export function parseFormats(text: string): OutputFormat[] {
  return parseCommaList(text).map((name) => {
    const known = formatNames.find((each) => each === name);
    if (!known) throw new InvalidArgumentError(`${name} is not one of ${formatNames.join(', ')}.`);
    return known;
  });
}

export type JunitBlocked = 'skipped' | 'errors';

export function junitBlockedOption(): Option {
  return new Option('--junit-blocked <how>', 'how junit.xml shows required checks that are blocked')
    .choices(['skipped', 'errors'])
    .default('skipped');
}

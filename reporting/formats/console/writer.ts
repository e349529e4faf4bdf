import picocolors from 'picocolors';
import { escapeForLog, escapeToSingleLine, truncate } from '../../text/escape-control-characters.ts';
import { wrapText } from '../../text/text-wrap.ts';
import { type KitCommand, rerunCommand } from '../../text/wording.ts';

export interface ConsoleOptions {
  readonly color: boolean;
  /** Columns of the terminal. Text is wrapped at this width, commands are not. */
  readonly width: number;
  readonly reportPath: string;
  /** Names the target of the run in commands to copy. */
  readonly toCommand?: KitCommand;
  /** Only the end of the summary: counts, causes, verdict. */
  readonly isBrief?: boolean;
}

type Colours = ReturnType<typeof picocolors.createColors>;

export interface Writer {
  readonly colours: Colours;
  /** The folder of the report, with a slash at its end. */
  readonly folder: string;
  /** The command that runs checks again. */
  rerun(ids: readonly string[]): string;
  /** A label before a text that is not wrapped. */
  label(name: string): string;
  /** A labelled, sanitised and wrapped line; empty for an empty text. */
  line(label: string, text: string): string[];
  /** A sanitised and wrapped text, indented after its first line. */
  paragraph(text: string, indent?: string): string[];
}

export const INDENT = '  ';
const LABEL_WIDTH = 12;
export const MAX_LINE_LENGTH = 400;

export function createWriter({ color, width, reportPath, toCommand }: ConsoleOptions): Writer {
  const colours = picocolors.createColors(color);
  return {
    colours,
    folder: sanitize(reportPath.replace(/[^/\\]*$/, '')),
    rerun: (ids) => sanitize(rerunCommand(ids, toCommand)),
    label: (name) => INDENT + colours.dim(name.padEnd(LABEL_WIDTH)),
    line: (label, text) => {
      const clean = truncate(sanitize(text), MAX_LINE_LENGTH);
      if (clean === '') return [];
      const rows = wrapText(clean, width - INDENT.length - LABEL_WIDTH);
      // The mark keeps text of the server from the beginning of a line, where a CI system could read it as a command.
      return rows.map((row, index) => INDENT + colours.dim((index === 0 ? label : '|').padEnd(LABEL_WIDTH)) + row);
    },
    paragraph: (text, indent = '') => {
      const rows = wrapText(truncate(sanitize(text), MAX_LINE_LENGTH), width - indent.length);
      return rows.map((row, index) => (index === 0 ? row : indent + row));
    },
  };
}

/** Text of the server in one line, without control characters. */
export function sanitize(text: string): string {
  return escapeForLog(escapeToSingleLine(text));
}

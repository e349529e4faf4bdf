import type { createLogUpdate } from 'log-update';
import picocolors from 'picocolors';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { escapeForLog } from '../../reporting/text/escape-control-characters.ts';
import type { CheckRecord } from '../../specs/journal.ts';
import type { CheckVerdict } from '../../specs/verdicts.ts';
import { hasColors, hasCursor } from './terminal.ts';

const ANNOUNCED_VERDICTS: readonly CheckVerdict[] = ['fail', 'error', 'warn'];
/** Interval of the progress lines in a CI log. */
const CHECKS_PER_LOG_LINE = 100;

interface Problem {
  name?: string;
  message: string;
  stack?: string;
}

/** Shows the progress of the run on stderr: one updated line on a terminal, a few lines in a log. */
export class Progress implements Reporter {
  private readonly total: number;
  private readonly line: ReturnType<typeof createLogUpdate> | null;
  private readonly counts = new Map<CheckVerdict, number>();
  private readonly finishedIds = new Set<string>();
  /** Errors outside of checks, as messages. Each is an internal error of the kit. */
  readonly problems: string[] = [];

  private readonly colors: ReturnType<typeof picocolors.createColors>;

  private constructor(stream: NodeJS.WriteStream, total: number, line: Progress['line']) {
    this.total = total;
    this.line = line;
    this.colors = picocolors.createColors(hasColors(stream));
  }

  static async create(stream: NodeJS.WriteStream, total: number): Promise<Progress> {
    // Loaded on demand: log-update includes large character tables.
    return new Progress(stream, total, hasCursor(stream) ? (await import('log-update')).createLogUpdate(stream) : null);
  }

  onTestCaseResult(test: TestCase): void {
    const record = test.meta().conformance;
    if (!record || this.finishedIds.has(record.id)) return;
    this.finishedIds.add(record.id);
    this.counts.set(record.verdict, (this.counts.get(record.verdict) ?? 0) + 1);
    if (ANNOUNCED_VERDICTS.includes(record.verdict)) this.announce(record);
    if (this.line) this.line(this.summary());
    else if (this.finishedIds.size % CHECKS_PER_LOG_LINE === 0) console.error(this.summary());
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Problem[]): void {
    this.line?.clear();
    const all = [...modules.flatMap((module) => [...module.errors()]), ...unhandled];
    this.problems.push(...new Set(all.map(formatProblem)));
  }

  private announce(record: CheckRecord): void {
    const { red, yellow } = this.colors;
    const word = record.verdict === 'warn' ? yellow('warn ') : red(record.verdict.padEnd(5));
    this.line?.clear();
    console.error(`${word} ${record.id}  ${escapeForLog(record.reason).slice(0, 160)}`);
  }

  private summary(): string {
    const count = (verdict: CheckVerdict) => this.counts.get(verdict) ?? 0;
    const parts = [
      `${this.finishedIds.size}/${this.total} checks`,
      `${count('pass')} passed`,
      `${count('fail')} failed`,
    ];
    if (count('blocked') > 0) parts.push(`${count('blocked')} blocked`);
    if (count('error') > 0) parts.push(`${count('error')} with internal errors`);
    return parts.join(' · ');
  }
}

/** A full disk needs no stack trace. */
function formatProblem({ name, message, stack }: Problem): string {
  return name === 'JournalError' ? message : `internal error of the kit: ${stack ?? message}`;
}

import type { createLogUpdate } from 'log-update';
import picocolors from 'picocolors';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { RuleBreach } from '../../engine/run/run-plan.ts';
import { escapeForLog, truncate } from '../../reporting/text/escape-control-characters.ts';
import { formatDuration } from '../../reporting/text/wording.ts';
import { checkCatalogue } from '../../specs/catalogue/catalogue.ts';
import type { CheckRecord, CustomCheckRecord } from '../../specs/formats/journal.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { CheckVerdict } from '../../specs/verdicts.ts';
import { hasColors, hasCursor } from './terminal.ts';

const ANNOUNCED_VERDICTS: readonly CheckVerdict[] = ['fail', 'error', 'warn'];
/** Interval of the progress lines in a CI log. */
const CHECKS_PER_LOG_LINE = 100;
/** Interval of the updated line, so that the elapsed time moves while a check waits. */
const UPDATE_INTERVAL_MS = 1000;
/** A check that takes longer is named. */
const SLOW_CHECK_MS = 3000;
const MAX_REASON_LENGTH = 160;
/** A very broken server must not push the summary off the screen. */
const MAX_ANNOUNCED = 20;

/** `quiet`: nothing. `normal`: failures, errors and warnings. `verbose`: every check. */
export type ProgressDetail = 'quiet' | 'normal' | 'verbose';

interface Problem {
  name?: string;
  message: string;
  stack?: string;
}

/** Shows the progress of the run on stderr: one updated line on a terminal, a few lines in a log. */
export class Progress implements Reporter {
  private readonly total: number;
  private readonly detail: ProgressDetail;
  private readonly line: ReturnType<typeof createLogUpdate> | null;
  private readonly counts = new Map<CheckVerdict, number>();
  private readonly finishedIds = new Set<string>();
  /** When each check under way began, by id, the earliest first. */
  private readonly startedMs = new Map<string, number>();
  private readonly beganMs = performance.now();
  private timer: NodeJS.Timeout | null = null;
  private area = '';
  private announced = 0;
  /** Errors outside of checks, as messages. Each is an internal error of the kit. */
  readonly problems: string[] = [];

  private readonly colors: ReturnType<typeof picocolors.createColors>;

  private constructor(stream: NodeJS.WriteStream, total: number, detail: ProgressDetail, line: Progress['line']) {
    this.total = total;
    this.detail = detail;
    this.line = line;
    this.colors = picocolors.createColors(hasColors(stream));
  }

  static async create(stream: NodeJS.WriteStream, total: number, detail: ProgressDetail): Promise<Progress> {
    const isUpdated = hasCursor(stream) && detail !== 'quiet';
    // Loaded on demand: log-update includes large character tables.
    return new Progress(stream, total, detail, isUpdated ? (await import('log-update')).createLogUpdate(stream) : null);
  }

  onTestRunStart(): void {
    if (!this.line) return;
    this.timer = setInterval(() => this.line?.(this.summary()), UPDATE_INTERVAL_MS);
    this.timer.unref();
  }

  onTestCaseReady({ name }: TestCase): void {
    const id = idIn(name);
    this.startedMs.set(id, performance.now());
    this.area = checkCatalogue.get(id as CheckId)?.requirement.area ?? this.area;
  }

  onTestCaseResult(test: TestCase): void {
    this.startedMs.delete(idIn(test.name));
    const record = test.meta().conformance;
    if (!record || this.finishedIds.has(record.id)) return;
    this.finishedIds.add(record.id);
    this.counts.set(record.verdict, (this.counts.get(record.verdict) ?? 0) + 1);
    if (this.detail === 'quiet') return;
    if (this.detail === 'verbose') this.announce(record);
    else if (ANNOUNCED_VERDICTS.includes(record.verdict)) this.announceSome(record);
    if (this.line) this.line(this.summary());
    else if (this.finishedIds.size % CHECKS_PER_LOG_LINE === 0) console.error(this.summary());
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Problem[]): void {
    if (this.timer) clearInterval(this.timer);
    this.line?.clear();
    const all = [...modules.flatMap((module) => [...module.errors()]), ...unhandled];
    this.problems.push(...new Set(all.map(formatProblem)));
  }

  /** Names a broken exchange rule before its verdict. */
  announceBreach({ id, reason }: RuleBreach): void {
    if (this.detail === 'quiet') return;
    this.line?.clear();
    console.error(`${this.colors.red('seen ')} ${id}  ${truncate(escapeForLog(reason), MAX_REASON_LENGTH)}`);
  }

  private announceSome(record: CheckRecord | CustomCheckRecord): void {
    this.announced += 1;
    if (this.announced <= MAX_ANNOUNCED) this.announce(record);
    if (this.announced !== MAX_ANNOUNCED + 1) return;
    this.line?.clear();
    console.error('the summary shows further failures and warnings');
  }

  private announce({ verdict, id, reason, durationMs }: CheckRecord | CustomCheckRecord): void {
    const { red, yellow, green, dim } = this.colors;
    const paint = { fail: red, error: red, warn: yellow, blocked: yellow, pass: green, 'not-applicable': dim }[verdict];
    const word = verdict === 'not-applicable' ? 'n/a' : verdict;
    const text = reason === '' ? formatDuration(durationMs) : truncate(escapeForLog(reason), MAX_REASON_LENGTH);
    this.line?.clear();
    console.error(`${paint(word.padEnd(this.detail === 'verbose' ? 7 : 5))} ${id}  ${text}`);
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
    if (this.line) parts.push(...this.currentParts());
    return parts.join(' · ');
  }

  /** The elapsed time, the area, and the slowest check under way. */
  private currentParts(): string[] {
    const now = performance.now();
    const [slowest] = this.startedMs;
    const parts = [formatDuration(now - this.beganMs), ...(this.area === '' ? [] : [this.area])];
    if (slowest && now - slowest[1] > SLOW_CHECK_MS)
      parts.push(`${slowest[0]} since ${formatDuration(now - slowest[1])}`);
    return parts;
  }
}

/** The title of a test begins with the id of its check. */
function idIn(name: string): string {
  return name.split(' ', 1)[0] ?? name;
}

/** A full disk needs no stack trace. */
function formatProblem({ name, message, stack }: Problem): string {
  return name === 'JournalError' ? message : `internal error of the kit: ${stack ?? message}`;
}

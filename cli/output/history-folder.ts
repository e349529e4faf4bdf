import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createFolder } from '../../engine/evidence/folder-creation.ts';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { systemErrorCode } from '../../engine/model/system-error.ts';
import { isSameTarget } from '../../reporting/compare/same-target.ts';
import { formats, renderReport } from '../../reporting/formats/formats.ts';
import { compareNights } from '../../reporting/history/compare-nights.ts';
import { renderHistory } from '../../reporting/history/history-page.tsx';
import { type LinkedNight, nightOf } from '../../reporting/history/nights.ts';
import { joinNames } from '../../reporting/text/wording.ts';
import { requirements } from '../../specs/catalogue/catalogue.ts';
import type { Changes } from '../../specs/formats/changes.ts';
import type { Night } from '../../specs/formats/night.ts';
import type { Report } from '../../specs/formats/report.ts';
import { type Target, targetName } from '../../specs/target-file/target.ts';
import { draftsIn, isNightFolder, NIGHT_FILE, nightFolders, readNight } from '../earlier-runs/night-file.ts';
import { statsOf } from '../earlier-runs/path-kind.ts';
import { replaceFile } from './replace-file.ts';
import { OutputError } from './report-files.ts';
import { LOCK_FILE, notWritableError, RunLock } from './run-lock.ts';

/** What changed with a run; of the last run also at the top of the history. */
const CHANGES_FILE = 'changes.json';
const PAGE_FILE = 'history.html';
/** What a run leaves in a history without a finished run. */
const OWN_NAME = /^(changes\.json|history\.html(\.\d+\.tmp)?|new-.*)$/;

/** A run in the history, and the name of its folder. */
interface Entry {
  readonly name: string;
  readonly night: Night;
}

/** A folder of earlier runs against one target, which only this process writes to. */
export class HistoryFolder {
  private readonly path: string;
  private readonly lock: RunLock;
  private readonly keep: number;
  /** Oldest first. */
  private readonly entries: readonly Entry[];

  private constructor(path: string, lock: RunLock, keep: number, entries: readonly Entry[]) {
    this.path = path;
    this.lock = lock;
    this.keep = keep;
    this.entries = entries;
  }

  /** The earlier runs that the history keeps, oldest first. */
  get nights(): Night[] {
    return this.entries.slice(-this.keep).map(({ night }) => night);
  }

  /**
   * Opens a history for a run against this target. Rejects with a ConfigurationError if another run uses it, if a run in it is not
   * readable or began in the future, or if it belongs to another target.
   */
  static async open(path: string, keep: number, target: Pick<Target, 'name' | 'baseUrl'>): Promise<HistoryFolder> {
    if (statsOf(path)?.isFile()) throw new ConfigurationError(`--history: ${path} is a file; name a folder`);
    try {
      createFolder(path);
    } catch (error) {
      throw new ConfigurationError(`--history: ${notWritableError(path, error).message}`);
    }
    const lock = await RunLock.acquire(path).catch((error: unknown) => {
      throw error instanceof ConfigurationError ? new ConfigurationError(`--history: ${error.message}`) : error;
    });
    try {
      assertHistory(path);
      const entries = nightFolders(path).map((name) => ({ name, night: readNight(join(path, name), '--history') }));
      assertSameTarget(path, entries.at(-1)?.night, target);
      assertInPast(path, entries.at(-1));
      return new HistoryFolder(path, lock, keep, entries);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /**
   * Adds a run, removes the oldest runs, writes the page of the history and returns what changed. Throws an
   * OutputError.
   */
  append(report: Report, runFolder: string): Changes {
    const added = nightOf(report, requirements);
    const changes = compareNights(this.nights, added);
    const { startedAt, id } = report.run;
    const name = `${startedAt.replaceAll(':', '-')}-${id.slice(0, 8)}`;
    // A run that is interrupted here leaves no half entry.
    const draft = join(this.path, `new-${name}`);
    try {
      mkdirSync(draft, { recursive: true });
      writeFileSync(join(draft, NIGHT_FILE), gzipSync(JSON.stringify(added)));
      writeFileSync(join(draft, formats.html.file), renderReport(formats.html, report));
      writeFileSync(join(draft, `${formats.json.file}.gz`), gzipSync(renderReport(formats.json, report)));
      writeFileSync(join(draft, CHANGES_FILE), changesText(changes));
      renameSync(draft, join(this.path, name));
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      throw new OutputError(
        `cannot write ${this.path} (${systemErrorCode(error)}); the reports of this run are in ${runFolder}, but the history does not contain it`,
      );
    }
    this.finish([...this.entries, { name, night: added }], changes);
    return changes;
  }

  /** Removes the runs that are no longer kept and what killed runs left, and writes the files for the others. */
  private finish(entries: readonly Entry[], changes: Changes): void {
    const old = entries.slice(0, -this.keep).map(({ name }) => name);
    this.update('remove', [...old, ...draftsIn(this.path)], (path) => rmSync(path, { recursive: true, force: true }));
    this.update('write', [CHANGES_FILE], (path) => replaceFile(path, changesText(changes)));
    this.update('write', [PAGE_FILE], (path) => replaceFile(path, this.pageOf(entries.slice(-this.keep), changes)));
  }

  private update(what: 'remove' | 'write', names: readonly string[], change: (path: string) => void): void {
    for (const path of names.map((name) => join(this.path, name))) {
      try {
        change(path);
      } catch (error) {
        throw new OutputError(
          `cannot ${what} ${path} (${systemErrorCode(error)}); the history contains this run, and the next run tries again`,
        );
      }
    }
  }

  release(): void {
    this.lock.release();
  }

  /** Path of the page for people. */
  get page(): string {
    return join(this.path, PAGE_FILE);
  }

  private pageOf(entries: readonly Entry[], changes: Changes): string {
    const nights = entries.map((entry) => linkedNight(this.path, entry));
    return renderHistory({ nights, changes, requirements });
  }
}

function changesText(changes: Changes): string {
  return `${JSON.stringify(changes, null, 2)}\n`;
}

function linkedNight(path: string, { name, night }: Entry): LinkedNight {
  const hasReport = existsSync(join(path, name, formats.html.file));
  return { night, report: hasReport ? `${name}/${formats.html.file}` : null };
}

/** Throws a ConfigurationError if the folder holds other files and no run. Hidden files do not count. */
function assertHistory(path: string): void {
  if (nightFolders(path).length > 0) return;
  if (isNightFolder(path))
    throw new ConfigurationError(`--history: ${path} is a run of a history; name its folder, ${dirname(path)}`);
  const others = readdirSync(path).filter(
    (name) => !name.startsWith('.') && name !== LOCK_FILE && !OWN_NAME.test(name),
  );
  if (others.length === 0) return;
  throw new ConfigurationError(
    `--history: ${path} contains other files (${joinNames(others)}) and no run; name an empty folder, or the folder of a history`,
  );
}

/** A run of the future would count as the last one, and every run until then would be compared with it. */
function assertInPast(path: string, last: Entry | undefined): void {
  if (last === undefined || Date.parse(last.night.run.startedAt) <= Date.now()) return;
  const folder = join(path, last.name);
  throw new ConfigurationError(
    `--history: the run in ${folder} began in the future, so a clock was wrong; correct the clock of this machine, or remove ${folder}`,
  );
}

function assertSameTarget(path: string, last: Night | undefined, target: Pick<Target, 'name' | 'baseUrl'>): void {
  const { baseUrl } = target;
  if (last === undefined || isSameTarget(last.target, { name: targetName(target), baseUrl })) return;
  throw new ConfigurationError(
    `--history: ${path} contains runs against ${last.target.name} (${last.target.baseUrl}); name another folder for ${baseUrl}`,
  );
}

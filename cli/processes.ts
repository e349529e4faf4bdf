import { readFileSync, readlinkSync } from 'node:fs';

/** Position of a process's start time behind its name in /proc/PID/stat; see proc(5). */
const START_TIME_FIELD = 19;
const ENDED_STATES = ['Z', 'X'];

/** When a process began, in the system's own units; null where the system does not say. */
export function processStartTime(pid: number): string | null {
  return readProcessStat(pid)?.[START_TIME_FIELD] ?? null;
}

/** Whether a process still runs, and is not a later one that was given the same number. */
export function isAlive(pid: number, start: string | null): boolean {
  if (!isProcessPresent(pid)) return false;
  const stat = readProcessStat(pid);
  if (stat === null) return true;
  // A killed process keeps its number until its parent has asked for its exit status.
  if (ENDED_STATES.includes(stat[0] ?? '')) return false;
  return start === null || stat[START_TIME_FIELD] === start;
}

/** In which namespace of process numbers this process is; empty where there is but one. */
export function processNamespace(): string {
  return process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : '';
}

function isProcessPresent(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other error says that there is a process which this one may not signal.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** The fields of /proc/PID/stat behind the name, which may hold spaces; null where there is none. */
function readProcessStat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // No Linux, or the process ended just now.
    return null;
  }
}

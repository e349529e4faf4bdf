import { readFileSync, readlinkSync } from 'node:fs';

/** Position of a process's start time behind its name in /proc/PID/stat; see proc(5). */
const START_TIME_FIELD = 19;
const ENDED_STATES = ['Z', 'X'];

/** The start time of a process, in units of the system; null if the system does not provide it. */
export function processStartTime(pid: number): string | null {
  return readProcessStat(pid)?.[START_TIME_FIELD] ?? null;
}

/** Whether the process still runs. `start` excludes a later process with the same number. */
export function isAlive(pid: number, start: string | null): boolean {
  if (!isProcessPresent(pid)) return false;
  const stat = readProcessStat(pid);
  if (stat === null) return true;
  // An ended process keeps its number until its parent reads its exit status.
  if (ENDED_STATES.includes(stat[0] ?? '')) return false;
  return start === null || stat[START_TIME_FIELD] === start;
}

/** The PID namespace of this process; empty on systems without namespaces. */
export function processNamespace(): string {
  return process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid') : '';
}

function isProcessPresent(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other error means that the process exists, but must not be signalled.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** The fields of /proc/PID/stat after the name, which may contain spaces; null without such a file. */
function readProcessStat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // Not Linux, or the process has just ended.
    return null;
  }
}

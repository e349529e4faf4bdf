import { ConfigurationError } from '../../engine/model/configuration-error.ts';

/** A run loads its modules at once, which takes about 200 open files, and needs a few for its connections. */
const MIN_OPEN_FILES = 256;

interface ProcessReport {
  userLimits?: { open_files?: { soft?: number | string } };
}

/** How many files this process may open; null if the system does not say, or sets no limit. */
function maxOpenFiles(): number | null {
  const { userLimits } = process.report.getReport() as ProcessReport;
  const most = userLimits?.open_files?.soft;
  return typeof most === 'number' ? most : null;
}

/** Throws a ConfigurationError if a run would fail midway for want of open files. */
export function assertOpenFiles(most = maxOpenFiles()): void {
  if (most === null || most >= MIN_OPEN_FILES) return;
  throw new ConfigurationError(
    `the limit of open files is ${most}, and a run needs ${MIN_OPEN_FILES}; raise it, for example with "ulimit -n 1024"`,
  );
}

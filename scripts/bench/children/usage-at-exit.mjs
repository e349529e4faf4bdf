import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Loaded before the command: what the whole process has used when it ends, its threads included.
if (isMainThread) {
  process.once('exit', () => {
    const { user, system } = process.cpuUsage();
    const { maxRSS } = process.resourceUsage();
    writeFileSync(process.env.BENCH_USAGE, JSON.stringify({ cpuMs: (user + system) / 1000, peakMb: maxRSS / 1024 }));
  });
}

import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['specs', 'engine', 'helpers', 'suites', 'reporting', 'reference', 'cli', 'scripts/build.ts'];
const BUILT = `${ROOT}/dist/cli/main.js`;

function changedAt(path: string): number {
  const { mtimeMs } = statSync(path);
  const inside = statSync(path).isDirectory() ? readdirSync(path).map((name) => changedAt(`${path}/${name}`)) : [];
  return Math.max(mtimeMs, ...inside);
}

/** Tests run the command as the package holds it: from sources each start would take several times as long. */
export default function buildKit(): void {
  const newest = Math.max(...SOURCES.map((each) => changedAt(`${ROOT}/${each}`)));
  const built = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built < newest) execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
}

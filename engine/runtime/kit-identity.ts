import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Certification } from '../../specs/certification/certification.ts';
import { codeRoot, packageRoot } from '../../specs/code-location.ts';

const ROOMS = ['cli', 'engine', 'helpers', 'reference', 'reporting', 'specs', 'suites'];
/** What the modules of the built kit share. */
const CHUNKS = 'chunks';
/** Written by the build. */
const COMMIT_FILE = 'commit.txt';

/** What identifies this kit beyond its version. Reads every file of the kit. */
export function kitIdentity(): Certification['kit'] {
  return { commit: kitCommit(), digest: kitDigest(), node: process.version };
}

/** The SHA-256 of the paths and contents of all files that the kit consists of, in hexadecimal. */
function kitDigest(): string {
  const digest = createHash('sha256');
  const folders = [...ROOMS, CHUNKS].filter((name) => existsSync(join(codeRoot, name)));
  const files = folders.flatMap((folder) =>
    readdirSync(join(codeRoot, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  for (const file of files.sort()) {
    const path = join(codeRoot, file);
    if (statSync(path).isFile()) digest.update(`${file.split(sep).join('/')}\n`).update(readFileSync(path));
  }
  return digest.update(readFileSync(join(packageRoot, 'package.json'))).digest('hex');
}

function kitCommit(): string | null {
  const built = join(codeRoot, COMMIT_FILE);
  if (existsSync(built)) return readFileSync(built, 'utf8').trim();
  if (!existsSync(join(packageRoot, '.git'))) return null;
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: packageRoot, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    // Without git, the digest still identifies the kit.
    return null;
  }
}

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { copyPublicTypes } from './build-types.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

rmSync(`${root}/dist`, { recursive: true, force: true });
const declarations = mkdtempSync(join(tmpdir(), 'kit-types-'));
execFileSync(
  process.execPath,
  [
    `${root}/node_modules/typescript/bin/tsc`,
    ...['-p', `${root}/tsconfig.build.json`, '--declaration', '--declarationDir', declarations],
  ],
  { stdio: 'inherit' },
);
copyPublicTypes(declarations, `${root}/dist`);
rmSync(declarations, { recursive: true });
// The built kit reads its data as JSON, because parsing YAML slows down the start.
mkdirSync(`${root}/dist/specs/requirements`, { recursive: true });
const dataFiles = readdirSync(`${root}/specs`, { recursive: true, encoding: 'utf8' });
for (const file of dataFiles.filter((name) => name.endsWith('.yaml'))) {
  const data: unknown = parse(readFileSync(`${root}/specs/${file}`, 'utf8'));
  writeFileSync(`${root}/dist/specs/${file.replace(/\.yaml$/, '.json')}`, JSON.stringify(data));
}
mkdirSync(`${root}/dist/specs/generated`, { recursive: true });
const signatures: unknown = JSON.parse(readFileSync(`${root}/specs/generated/signatures.json`, 'utf8'));
writeFileSync(`${root}/dist/specs/generated/signatures.json`, JSON.stringify(signatures));
mkdirSync(`${root}/dist/specs/schemas`, { recursive: true });
for (const file of readdirSync(`${root}/specs/schemas`)) {
  copyFileSync(`${root}/specs/schemas/${file}`, `${root}/dist/specs/schemas/${file}`);
}
const page = 'reporting/formats/html';
for (const file of ['client.js', ...readdirSync(`${root}/${page}/style`).map((name) => `style/${name}`)]) {
  mkdirSync(dirname(`${root}/dist/${page}/${file}`), { recursive: true });
  copyFileSync(`${root}/${page}/${file}`, `${root}/dist/${page}/${file}`);
}
chmodSync(`${root}/dist/cli/main.js`, 0o755);

// A package has no repository. Without git, the kit names no commit.
const commit = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
if (commit.status === 0) writeFileSync(`${root}/dist/commit.txt`, commit.stdout);

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { copyPublicTypes } from './build-types.ts';
import { bundle } from './bundle.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

rmSync(`${root}/dist`, { recursive: true, force: true });
await bundle(root);
const declarations = mkdtempSync(join(tmpdir(), 'kit-types-'));
execFileSync(
  process.execPath,
  [`${root}/node_modules/typescript/bin/tsc`, '-p', `${root}/tsconfig.build.json`, '--declarationDir', declarations],
  { stdio: 'inherit' },
);
copyPublicTypes(declarations, `${root}/dist`);
rmSync(declarations, { recursive: true });
// The built kit reads its data as JSON, because parsing YAML slows down the start.
const dataFiles = readdirSync(`${root}/specs`, { recursive: true, encoding: 'utf8' });
for (const file of dataFiles.filter((name) => name.endsWith('.yaml'))) {
  const data: unknown = parse(readFileSync(`${root}/specs/${file}`, 'utf8'));
  write(`specs/${file.replace(/\.yaml$/, '.json')}`, JSON.stringify(data));
}
const signatures: unknown = JSON.parse(readFileSync(`${root}/specs/generated/signatures.json`, 'utf8'));
write('specs/generated/signatures.json', JSON.stringify(signatures));
for (const file of readdirSync(`${root}/specs/schemas`)) copy(`specs/schemas/${file}`);
const page = 'reporting/formats/html';
for (const file of ['client.js', ...readdirSync(`${root}/${page}/style`).map((name) => `style/${name}`)])
  copy(`${page}/${file}`);
chmodSync(`${root}/dist/cli/main.js`, 0o755);

// A package has no repository. Without git, the kit names no commit.
const commit = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
if (commit.status === 0) write('commit.txt', commit.stdout);

function write(file: string, text: string): void {
  mkdirSync(dirname(`${root}/dist/${file}`), { recursive: true });
  writeFileSync(`${root}/dist/${file}`, text);
}

function copy(file: string): void {
  write(file, readFileSync(`${root}/${file}`, 'utf8'));
}

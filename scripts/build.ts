import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

rmSync(`${root}/dist`, { recursive: true, force: true });
execFileSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-p', `${root}/tsconfig.build.json`], {
  stdio: 'inherit',
});
// What the compiled modules read beside themselves.
for (const file of readdirSync(`${root}/specs`).filter((name) => name.endsWith('.yaml'))) {
  copyFileSync(`${root}/specs/${file}`, `${root}/dist/specs/${file}`);
}
mkdirSync(`${root}/dist/specs/schemas`, { recursive: true });
for (const file of readdirSync(`${root}/specs/schemas`)) {
  copyFileSync(`${root}/specs/schemas/${file}`, `${root}/dist/specs/schemas/${file}`);
}
chmodSync(`${root}/dist/cli/main.js`, 0o755);

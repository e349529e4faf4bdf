import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { stringify } from 'yaml';
import { allFaults } from '../../reference/faults/all.ts';
import { startReference } from '../../reference/service/start.ts';
import { formats } from '../../reporting/formats/formats.ts';
import { EXIT } from '../../specs/exit-codes.ts';
import { report } from '../../specs/formats/report.ts';
import { reportExcerpt } from './report-excerpt.ts';

/**
 * Writes reports/sample: the reports of a run against a reference service with one defect, the picture that README shows, and the
 * excerpt of report.json that docs/report-fields.md shows. Run `npm run generate` afterwards.
 * Needs a Chromium, which CONFORMANCE_BROWSER names (default: /usr/bin/chromium).
 */

const DEFECT = 'life-approved-cancel-allowed';
const SAMPLE_FOLDER = fileURLToPath(new URL('../../reports/sample', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const PICTURE_SIZE = { width: 1200, height: 900 };

/** Runs the command in a process of its own and returns its exit code. */
async function runCommand(args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, ['--import', 'tsx', COMMAND, ...args], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code;
}

async function takePicture(page: string, picture: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env.CONFORMANCE_BROWSER ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const view = await browser.newPage({ viewport: PICTURE_SIZE });
    await view.goto(pathToFileURL(page).href);
    await view.screenshot({ path: picture });
  } finally {
    await browser.close();
  }
}

const fault = allFaults.find(({ id }) => id === DEFECT);
if (!fault) throw new Error(`no fault has the id ${DEFECT}`);
const service = await startReference(fault);
const folder = mkdtempSync(join(tmpdir(), 'conformance-sample-'));
try {
  const target = join(folder, 'target.yaml');
  writeFileSync(
    target,
    stringify({ ...service.target, name: 'Staging gateway (a reference service with one defect)' }),
  );
  const out = join(folder, 'out');
  const code = await runCommand([
    'run',
    '--target',
    target,
    '--profile',
    'core',
    '--out',
    out,
    '--format',
    'html,markdown',
  ]);
  if (code !== EXIT.failed) throw new Error(`the sample run ended with exit code ${code}, not ${EXIT.failed}`);
  mkdirSync(SAMPLE_FOLDER, { recursive: true });
  for (const { file } of [formats.html, formats.markdown]) copyFileSync(join(out, file), join(SAMPLE_FOLDER, file));
  const written = report.parse(JSON.parse(readFileSync(join(out, formats.json.file), 'utf8')));
  writeFileSync(join(SAMPLE_FOLDER, 'report-excerpt.json'), `${JSON.stringify(reportExcerpt(written), null, 2)}\n`);
  await takePicture(join(SAMPLE_FOLDER, formats.html.file), join(SAMPLE_FOLDER, 'report.png'));
} finally {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { node, patient } from '../cli/support/command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

vi.setConfig(patient);

const FAULT = '--fault=auth-key-cut-to-column';
const copies: string[] = [];

afterEach(() => {
  for (const copy of copies.splice(0)) rmSync(copy, { recursive: true, force: true });
});

/** A copy of the built kit with one place of its code changed. */
function kitWith(sound: string, broken: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'kit-broken-'));
  copies.push(copy);
  for (const source of ['dist', 'package.json']) cpSync(join(ROOT, source), join(copy, source), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const files = readdirSync(join(copy, 'dist'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  const texts = files.map((name) => ({
    path: join(copy, 'dist', name),
    text: readFileSync(join(copy, 'dist', name), 'utf8'),
  }));
  const places = texts.filter(({ text }) => text.includes(sound));
  const [place] = places;
  if (!place || places.length > 1 || place.text.split(sound).length !== 2)
    throw new Error(`dist contains "${sound}" not once, but in ${places.length} files`);
  writeFileSync(place.path, place.text.replace(sound, broken));
  return copy;
}

async function prove(copy: string, ...narrowed: string[]) {
  return await node(['dist/cli/main.js', 'prove', '--quick', ...narrowed, '--out', 'proof'], { cwd: copy });
}

const ASSERTION = 'expectRejected(ctx, await listWithInvalidCredentials(ctx, credentials(ctx)), [401])';
const WITHOUT_ASSERTION = 'void (await listWithInvalidCredentials(ctx, credentials(ctx)))';
const COMPARISON = 'if (code !== void 0 && actual !== code)';
const INVERTED = 'if (code !== void 0 && actual === code)';

describe('the proof of the kit', () => {
  test('finds no gap in an unchanged copy of it', async () => {
    const { code, stdout } = await prove(kitWith(ASSERTION, ASSERTION), FAULT);
    expect(stdout).toContain('faults caught 1/1');
    expect(code).toBe(0);
  });

  test('without the assertion of a check names the check and the missed fault', async () => {
    const { code, stdout } = await prove(kitWith(ASSERTION, WITHOUT_ASSERTION), FAULT);
    expect(stdout).toMatch(/^gap: fault auth-key-cut-to-column .*AUTH-02\.extended \(pass\)/m);
    expect(stdout).toContain('faults caught 0/1');
    expect(code).toBe(1);
  });

  test('with an inverted comparison in a helper names the affected check', async () => {
    const { code, stdout } = await prove(kitWith(COMPARISON, INVERTED), '--fault=create-without-amount-own-code');
    expect(stdout).toMatch(/^gap: fault create-without-amount-own-code .*CREATE-02/m);
    expect(stdout).toContain('faults caught 0/1');
    expect(code).toBe(1);
  });
});

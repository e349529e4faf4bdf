import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { requirementEntry } from '../../specs/catalogue/requirement.ts';
import { roomPages, root, userPages } from './markdown-pages.ts';

const PATH = /^(specs|engine|helpers|suites|reporting|reference|cli|tests|scripts|docs)\/[\w./-]+$/;
/** The file that the recipe for a report format creates. */
const NEW_FILE = 'reporting/formats/csv.ts';

const contributing = userPages().find(({ path }) => path === 'CONTRIBUTING.md')?.text ?? '';

function samples(language: string): string[] {
  const fences = contributing.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\``, 'gm'));
  return [...fences].map(([, indent = '', code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

function exportedHelpers(): Set<string> {
  const files = readdirSync(new URL('helpers/', root), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts')).map((file) => new URL(`helpers/${file}`, root));
  return new Set(
    sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(
        ([, name = '']) => name,
      ),
    ),
  );
}

describe.each([...userPages(), ...roomPages()])('$path', ({ path: page, prose }) => {
  test('names only files and folders that exist', () => {
    const named = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text).filter((text) => PATH.test(text));
    // The READMEs of the rooms name the files of their room without its name.
    const exists = (path: string) => [root, new URL(page, root)].some((from) => existsSync(new URL(path, from)));
    expect(named.filter((path) => path !== NEW_FILE && !exists(path))).toEqual([]);
  });
});

describe('the samples of CONTRIBUTING.md', () => {
  test('import files that exist', () => {
    const imported = samples('ts').flatMap((code) => [...code.matchAll(/ from '(\.[^']+)'/g)].map(([, to = '']) => to));
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((to) => !existsSync(new URL(to, new URL(NEW_FILE, root))))).toEqual([]);
  });

  test('call functions of the helpers', () => {
    const [check = ''] = samples('ts').filter((code) => code.startsWith('check('));
    const called = [...check.matchAll(/await (\w+)\(/g)].map(([, name = '']) => name);
    const helpers = exportedHelpers();
    expect(called.length).toBeGreaterThan(0);
    expect(called.filter((name) => !helpers.has(name))).toEqual([]);
  });

  test('contain a requirement that the catalogue accepts', () => {
    const [requirement = ''] = samples('yaml').filter((text) => text.includes('AREA-NN'));
    const [entry] = parse(requirement.replaceAll('AREA-NN', 'AREA-01')) as unknown[];
    expect(requirementEntry.safeParse(entry)).toMatchObject({ success: true });
  });
});

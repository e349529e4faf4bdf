import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { AREAS } from '../../../specs/catalogue/requirement.ts';
import { areaPage } from './area-page.ts';
import { indexPage } from './index-page.ts';

const folder = new URL('../../../docs/requirements/', import.meta.url);

/** The text of each file of docs/requirements/, by its name. */
export function requirementPages(): Record<string, string> {
  const areas = AREAS.map((area): [string, string] => [`${area}.md`, areaPage(area)]);
  return { 'README.md': indexPage(), ...Object.fromEntries(areas) };
}

/** Writes docs/requirements/, and removes the pages of areas that no longer exist. */
export function writeRequirementPages(): void {
  const pages = requirementPages();
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!Object.hasOwn(pages, name)) rmSync(new URL(name, folder));
  for (const [name, content] of Object.entries(pages)) writeFileSync(new URL(name, folder), content);
}

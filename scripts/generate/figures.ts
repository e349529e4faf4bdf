import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { conformingServers } from '../../cli/prove/servers.ts';
import { allFaults } from '../../reference/faults/all.ts';
import { checkCatalogue, requirements } from '../../specs/catalogue/catalogue.ts';

/** The pages that may contain figures between `<!-- n:NAME -->` and `<!-- /n -->`. */
const docs = readdirSync(new URL('../../docs/', import.meta.url)).filter((name) => name.endsWith('.md'));
export const figurePages = ['README.md', ...docs.map((name) => `docs/${name}`)];

const figures: Readonly<Record<string, number>> = {
  checks: checkCatalogue.size,
  requirements: requirements.length,
  faults: allFaults.length,
  variations: conformingServers.length,
};

/** The text of a page with the current figures. Throws for an unknown name. */
export function withFigures(page: string): string {
  return page.replace(/(<!-- n:([a-z]+) -->)[^<]*(<!-- \/n -->)/g, (_, begin: string, name: string, end: string) => {
    const figure = figures[name];
    if (figure === undefined)
      throw new Error(`n:${name}: no such figure; write one of ${Object.keys(figures).join(', ')}`);
    return `${begin}${figure}${end}`;
  });
}

export function writeFigures(): void {
  for (const path of figurePages) {
    const url = new URL(`../../${path}`, import.meta.url);
    writeFileSync(url, withFigures(readFileSync(url, 'utf8')));
  }
}

import { basename } from 'node:path';
import type { Provenance } from './provenance.ts';
import type { Tarball } from './tarball.ts';

export interface Release {
  name: string;
  version: string;
  /** The section of the changelog. */
  changes: string;
  tarball: Tarball;
  provenance: Provenance;
}

/** The text of the release page and of the tag. */
export function releaseNotes({ name, version, changes, tarball, provenance }: Release): string {
  const facts = {
    commit: provenance.commit,
    'built with': `Node ${provenance.node}, npm ${provenance.npm}`,
    'package-lock.json': provenance.lockFile,
    catalogue: provenance.catalogue,
    'code of the kit': provenance.code,
    [basename(tarball.file)]: `${tarball.bytes} bytes, ${tarball.integrity}`,
  };
  const rows = Object.entries(facts).map(([fact, value]) => `| ${fact} | \`${value}\` |\n`);
  return `# ${name} ${version}

${changes.replace(/^###/gm, '##')}

## Provenance

| | |
| --- | --- |
${rows.join('')}
The kit prints the digest of the catalogue in each report, and the digest of its code in each certification run.
\`npm audit signatures\` verifies the provenance of a published package.
`;
}

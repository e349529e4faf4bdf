import { type PackageContent, packFiles } from '../../../../reporting/certification/archive.ts';
import { journalText } from '../../../reporting/journal/journal-builders.ts';
import { type Desk, type PolicyInput, type SealedRun, sealRun } from './packages.ts';
import type { Records } from './record-edits.ts';

/** The packages that the tamperings begin with. */
export interface Bases {
  readonly conformant: SealedRun;
  /** `ERR-02.error` fails, an exchange rule. */
  readonly failing: SealedRun;
}

interface Tampered extends Desk {
  readonly archive: Uint8Array;
}

export interface Tampering {
  readonly name: string;
  /** What one of the blockers must say. */
  readonly problem: RegExp;
  make(bases: Bases): Tampered | Promise<Tampered>;
}

type Base = keyof Bases;

/** Edits the records. The partner makes the chain, the reports, the digests and the statements anew and signs them. */
export function resealed(
  name: string,
  problem: RegExp,
  edit: (records: Records) => Records,
  base: Base = 'conformant',
): Tampering {
  return { name, problem, make: async (bases) => ({ archive: await sealedAnew(bases[base], edit) }) };
}

async function sealedAnew({ run, sealedAt }: SealedRun, edit: (records: Records) => Records): Promise<Uint8Array> {
  const { content } = await sealRun({ ...run, records: edit(run.records) }, { sealedAt });
  return packFiles(content);
}

/** Edits the lines of the evidence without making the chain anew. The partner makes the rest anew and signs it. */
export function unchained(
  name: string,
  problem: RegExp,
  edit: (lines: readonly string[]) => readonly string[],
  prepare: (records: Records) => Records = (records) => records,
): Tampering {
  return {
    name,
    problem,
    make: async ({ conformant: { run, sealedAt } }) => {
      const records = prepare(run.records);
      const lines = journalText(records).trimEnd().split('\n');
      const evidence = `${edit(lines).join('\n')}\n`;
      const { content } = await sealRun({ ...run, records }, { sealedAt, evidence });
      return { archive: packFiles(content) };
    },
  };
}

/** Edits the files of the package. */
export function repacked(
  name: string,
  problem: RegExp,
  edit: (base: SealedRun, bases: Bases) => PackageContent | Promise<PackageContent>,
  desk: Desk = {},
): Tampering {
  return {
    name,
    problem,
    make: async (bases) => ({ archive: packFiles(await edit(bases.conformant, bases)), ...desk }),
  };
}

/** Edits the bytes of the archive. */
export function damaged(name: string, problem: RegExp, edit: (base: SealedRun) => Uint8Array): Tampering {
  return { name, problem, make: ({ conformant }) => ({ archive: edit(conformant) }) };
}

/** A policy that the run does not meet. */
export function refused(
  name: string,
  problem: RegExp,
  policy: PolicyInput,
  edit: (records: Records) => Records = (records) => records,
): Tampering {
  return {
    name,
    problem,
    make: async ({ conformant }) => ({ archive: await sealedAnew(conformant, edit), policy }),
  };
}

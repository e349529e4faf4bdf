import { describe, expect, test } from 'vitest';
import { allFaults } from '../../reference/faults/all.ts';
import { uncatchableChecks } from '../../reference/faults/uncatchable-checks.ts';
import { accuracyTable, measureAccuracy } from '../../scripts/known-defects/accuracy.ts';
import { checkCatalogue } from '../../specs/catalogue/catalogue.ts';
import { readSignatures } from '../../specs/fault-signatures.ts';

const signatures = readSignatures();
const HINT = 'run: npm run signatures -- --fault <ids>';

describe('the signatures of the known defects', () => {
  test('contain each fault with its requirement and defect', () => {
    const known = signatures.map(({ fault, requirement, defect }) => ({ fault, requirement, defect }));
    expect(known, HINT).toEqual(allFaults.map(({ id, requirement, defect }) => ({ fault: id, requirement, defect })));
  });

  test('contain each check that a server can turn red, and no other', () => {
    const red = new Set(signatures.flatMap((signature) => Object.keys(signature.red)));
    const unreachable = new Set<string>(uncatchableChecks.map(({ check }) => check));
    expect(
      [...red].filter((id) => !checkCatalogue.has(id as never)),
      HINT,
    ).toEqual([]);
    expect(
      [...checkCatalogue.keys()].filter((id) => !red.has(id) && !unreachable.has(id)),
      HINT,
    ).toEqual([]);
  });

  test('show every fault', () => {
    expect(
      signatures.filter(({ red }) => Object.keys(red).length === 0).map(({ fault }) => fault),
      HINT,
    ).toEqual([]);
  });
});

describe('the diagnosis without the defect itself', () => {
  const accuracy = measureAccuracy(signatures);

  test('names the requirement, the area, and several defects at once', () => {
    expect(accuracy.requirement).toBeGreaterThanOrEqual(0.9);
    expect(accuracy.area).toBeGreaterThanOrEqual(0.95);
    expect(accuracy.ofTriples).toBeGreaterThanOrEqual(2.8);
  });

  test('is in docs/proof.md', async () => {
    const { readFile } = await import('node:fs/promises');
    expect(await readFile(new URL('../../docs/proof.md', import.meta.url), 'utf8')).toContain(accuracyTable(accuracy));
  });
});

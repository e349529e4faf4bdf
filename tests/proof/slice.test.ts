import { describe, expect, test } from 'vitest';
import { judgeServer } from '../../cli/mutation-proof/judge-server.ts';
import { createFaultProof, createVariationProof, isCaught } from '../../cli/mutation-proof/proof-result.ts';
import { checksForFault } from '../../cli/mutation-proof/servers.ts';
import { allFaults } from '../../reference/faults/all.ts';
import { allVariations } from '../../reference/variations/all.ts';
import { composeOverrides } from '../../reference/variations/support/compose.ts';

/** One or two of each area; `conformance prove` runs them all. */
const SLICE = [
  'auth-any-secret',
  'auth-submit-forgets-secret',
  'auth-body-tells-cause',
  'key-secret-echoed',
  'env-lower-case-accepted',
  'rec-amount-number',
  'rec-number-of-the-minute',
  'created-amount-truncated-cents',
  'created-parties-swapped',
  'list-pages-plus-one',
  'list-of-everybody',
  'list-limit-101-served',
  'create-ignores-unknown',
  'create-accepts-03-comma',
  'create-refused-but-written',
  'create-null-crashes',
  'conn-suspended-allowed',
  'life-settled-approve-allowed',
  'life-delete-keeps-draft',
  'idem-race',
  'idem-shared-by-organizations',
  'iso-approve-of-anybody',
  'perm-create-open',
  'err-400-without-message',
  'hook-everybody-hears',
  'treas-own-code',
  'reset-keeps-keys',
];

const faults = SLICE.map((id) => {
  const fault = allFaults.find((each) => each.id === id);
  if (!fault) throw new Error(`no fault ${id}`);
  return fault;
});

describe('a server with one defect', () => {
  test.concurrent.for(faults)('$id is caught by the checks it names', async (fault) => {
    const proved = createFaultProof(fault, await judgeServer(fault, checksForFault(fault)));
    expect(proved.missed).toEqual([]);
    expect(isCaught(proved)).toBe(true);
  });
});

/** Honest servers that differ in many ways at once. */
const COMPOSED: readonly (readonly string[])[] = [
  ['ids-opaque', 'created-in-data', 'read-in-data', 'actions-204', 'limit-clamped', 'errors-with-more'],
  ['created-200', 'created-at-offset', 'actions-asynchronous', 'drafts-hidden-from-buyer', 'refusals-412', 'reset-204'],
  ['actions-by-status-patch', 'delete-cancels', 'resolve-keeps-disputed', 'extra-fields', 'past-end-400'],
  ['created-submitted', 'one-currency', 'description-not-returned', 'production-undeployed', 'sort-created-at-only'],
  ['base-url-with-prefix', 'refusals-409-inv004', 'either-party-acts', 'webhook-204', 'balance-by-get', 'slow'],
];

describe('an honest server', () => {
  test('that is the reference itself passes everything', async () => {
    const { held } = createVariationProof({ id: 'plain', openPoint: null, choice: '' }, await judgeServer({}));
    expect(held).toEqual([]);
  });

  test.for(COMPOSED)('that differs in %s, %s, %s and more passes everything', async (ids) => {
    const found = allVariations.filter(({ id }) => ids.includes(id));
    expect(found).toHaveLength(ids.length);
    const { held } = createVariationProof(
      { id: ids.join('+'), openPoint: null, choice: '' },
      await judgeServer(composeOverrides(found)),
    );
    expect(held).toEqual([]);
  });
});

import { expect, test } from 'vitest';
import { isSerializable } from '../../../helpers/lifecycle/concurrent-actions.ts';
import type { InvoiceAction, InvoiceState } from '../../../specs/contract/lifecycle.ts';

type Place = InvoiceState | null;

const leads = new Map<InvoiceAction, Place>([
  ['submit', 'SUBMITTED'],
  ['delete', null],
  ['approve', 'APPROVED'],
  ['dispute', 'DISPUTED'],
  ['resolve', 'SUBMITTED'],
  ['settle', 'SETTLED'],
]);

test.each<[string, Place, InvoiceAction[], Place]>([
  ['nothing, when nothing was accepted', 'DRAFT', [], 'DRAFT'],
  ['one action', 'SUBMITTED', ['approve'], 'APPROVED'],
  ['two in the order given', 'SUBMITTED', ['approve', 'settle'], 'SETTLED'],
  ['two in the other order', 'SUBMITTED', ['settle', 'approve'], 'SETTLED'],
  ['three, of which the middle one is the last', 'SUBMITTED', ['resolve', 'approve', 'dispute'], 'APPROVED'],
  ['the same action twice, where something leads back', 'SUBMITTED', ['dispute', 'dispute', 'resolve'], 'DISPUTED'],
  ['a removal', 'DRAFT', ['delete'], null],
])('some order explains %s', (_, from, actions, to) => {
  expect(isSerializable(from, actions, to, leads)).toBe(true);
});

test.each<[string, Place, InvoiceAction[], Place]>([
  ['an end that nothing leads to', 'SUBMITTED', ['approve'], 'SETTLED'],
  ['a move without an action', 'SUBMITTED', [], 'APPROVED'],
  ['rivals that both won', 'SUBMITTED', ['approve', 'dispute'], 'APPROVED'],
  ['the same action won twice', 'APPROVED', ['settle', 'settle'], 'SETTLED'],
  ['an action that the state does not offer', 'SUBMITTED', ['settle'], 'SETTLED'],
  ['an action after the removal', 'DRAFT', ['delete', 'submit'], 'SUBMITTED'],
  ['an action on what is gone', null, ['submit'], 'SUBMITTED'],
])('no order explains %s', (_, from, actions, to) => {
  expect(isSerializable(from, actions, to, leads)).toBe(false);
});

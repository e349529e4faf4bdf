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
  ['an unchanged state without an accepted action', 'DRAFT', [], 'DRAFT'],
  ['one action', 'SUBMITTED', ['approve'], 'APPROVED'],
  ['two actions in the given order', 'SUBMITTED', ['approve', 'settle'], 'SETTLED'],
  ['two actions in the opposite order', 'SUBMITTED', ['settle', 'approve'], 'SETTLED'],
  ['three actions of which the second one came last', 'SUBMITTED', ['resolve', 'approve', 'dispute'], 'APPROVED'],
  ['the same action twice with a return in between', 'SUBMITTED', ['dispute', 'dispute', 'resolve'], 'DISPUTED'],
  ['a removal', 'DRAFT', ['delete'], null],
])('some order explains %s', (_, from, actions, to) => {
  expect(isSerializable(from, actions, to, leads)).toBe(true);
});

test.each<[string, Place, InvoiceAction[], Place]>([
  ['a final state to which no action leads', 'SUBMITTED', ['approve'], 'SETTLED'],
  ['a transition without an action', 'SUBMITTED', [], 'APPROVED'],
  ['two competing actions that were both accepted', 'SUBMITTED', ['approve', 'dispute'], 'APPROVED'],
  ['the same action accepted twice', 'APPROVED', ['settle', 'settle'], 'SETTLED'],
  ['an action that the state does not offer', 'SUBMITTED', ['settle'], 'SETTLED'],
  ['an action after the removal', 'DRAFT', ['delete', 'submit'], 'SUBMITTED'],
  ['an action on a removed invoice', null, ['submit'], 'SUBMITTED'],
])('no order explains %s', (_, from, actions, to) => {
  expect(isSerializable(from, actions, to, leads)).toBe(false);
});

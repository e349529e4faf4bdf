import { describe, expect, test } from 'vitest';
import { RecordInterning } from '../../../engine/records/record-interning.ts';

const item = (changes: object = {}) => ({ id: 'inv-1', status: 'DRAFT', amount: '1.00', ...changes });

describe('an item of a list', () => {
  test('that says the same as before is the same object', () => {
    const interned = new RecordInterning();
    const first = interned.item(item());
    expect(interned.item(item())).toBe(first);
    // In whatever order.
    expect(interned.item({ amount: '1.00', status: 'DRAFT', id: 'inv-1' })).toBe(first);
  });

  test.each([
    ['another value', { status: 'SUBMITTED' }],
    ['a member more', { note: null }],
    ['a value of another type', { amount: 1 }],
    ['a member that inherits its name', JSON.parse('{"__proto__":"x"}')],
  ])('that has %s is another one, and itself the next time', (_, changes) => {
    const interned = new RecordInterning();
    const first = interned.item(item());
    const changed = Object.assign(Object.create(null), item(), changes);
    expect(interned.item(changed)).toBe(changed);
    expect(interned.item(item())).not.toBe(first);
  });

  test('that lacks a member is another one', () => {
    const interned = new RecordInterning();
    interned.item(item());
    const shorter = { id: 'inv-1', status: 'DRAFT' };
    expect(interned.item(shorter)).toBe(shorter);
  });

  test('with members of its own is always another one: whoever holds it may change it', () => {
    const interned = new RecordInterning();
    const [one, other] = [item({ links: [] }), item({ links: [] })];
    expect(interned.item(one)).toBe(one);
    expect(interned.item(other)).toBe(other);
  });

  test('is forgotten once so much more was read that holding on to it would fill the memory', () => {
    const interned = new RecordInterning();
    interned.begin(1000);
    const first = interned.item(item());
    interned.begin(1000);
    expect(interned.item(item())).toBe(first);
    interned.begin(64 * 1024 * 1024);
    expect(interned.item(item())).not.toBe(first);
  });

  test('is told from those of other ids, and without one', () => {
    const interned = new RecordInterning();
    const [one, other] = [interned.item(item()), interned.item(item({ id: 'inv-2' }))];
    expect(interned.item(item())).toBe(one);
    expect(interned.item(item({ id: 'inv-2' }))).toBe(other);
    expect(interned.item({ status: 'DRAFT' })).toEqual({ status: 'DRAFT' });
  });
});

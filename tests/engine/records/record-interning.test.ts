import { describe, expect, test } from 'vitest';
import { RecordInterning } from '../../../engine/records/record-interning.ts';

const item = (changes: object = {}) => ({ id: 'inv-1', status: 'DRAFT', amount: '1.00', ...changes });

describe('an item of a list', () => {
  test('that says the same as before is the same object', () => {
    const interned = new RecordInterning();
    const first = interned.intern(item());
    expect(interned.intern(item())).toBe(first);
    // In whatever order.
    expect(interned.intern({ amount: '1.00', status: 'DRAFT', id: 'inv-1' })).toBe(first);
  });

  test.each([
    ['another value', { status: 'SUBMITTED' }],
    ['a member more', { note: null }],
    ['a value of another type', { amount: 1 }],
    ['a member that inherits its name', JSON.parse('{"__proto__":"x"}')],
  ])('that has %s is another one, and itself the next time', (_, changes) => {
    const interned = new RecordInterning();
    const first = interned.intern(item());
    const changed = Object.assign(Object.create(null), item(), changes);
    expect(interned.intern(changed)).toBe(changed);
    expect(interned.intern(item())).not.toBe(first);
  });

  test('that lacks a member is another one', () => {
    const interned = new RecordInterning();
    interned.intern(item());
    const shorter = { id: 'inv-1', status: 'DRAFT' };
    expect(interned.intern(shorter)).toBe(shorter);
  });

  test('with members of its own is always another one: whoever holds it may change it', () => {
    const interned = new RecordInterning();
    const [one, other] = [item({ links: [] }), item({ links: [] })];
    expect(interned.intern(one)).toBe(one);
    expect(interned.intern(other)).toBe(other);
  });

  test('is forgotten once so much more was read that holding on to it would fill the memory', () => {
    const interned = new RecordInterning();
    interned.beginList(1000);
    const first = interned.intern(item());
    interned.beginList(1000);
    expect(interned.intern(item())).toBe(first);
    interned.beginList(64 * 1024 * 1024);
    expect(interned.intern(item())).not.toBe(first);
  });

  test('is told from those of other ids, and without one', () => {
    const interned = new RecordInterning();
    const [one, other] = [interned.intern(item()), interned.intern(item({ id: 'inv-2' }))];
    expect(interned.intern(item())).toBe(one);
    expect(interned.intern(item({ id: 'inv-2' }))).toBe(other);
    expect(interned.intern({ status: 'DRAFT' })).toEqual({ status: 'DRAFT' });
  });
});

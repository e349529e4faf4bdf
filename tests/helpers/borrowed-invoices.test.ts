import { expect, test } from 'vitest';
import { borrowing } from '../../helpers/borrowed-invoices.ts';
import type { Lab } from '../../helpers/lab.ts';
import { keeping, scripted } from './labs.ts';

/** A server that keeps its invoices, and a lab in which no trial has left one behind. */
async function sandbox(): Promise<{ lab: Lab; states: Map<string, string>; made: () => number }> {
  const { states, reply } = keeping();
  const { lab } = scripted(reply);
  await lab.run.once('trial lent: APPROVED', async () => ({ left: null }));
  return { lab, states, made: () => states.size };
}

test('an approved invoice is lent to one check after the other', async () => {
  const { lab, made } = await sandbox();
  const used: string[] = [];
  let atOnce = 0;
  const use = async ({ id }: { id: string }) => {
    atOnce += 1;
    expect(atOnce).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    used.push(id);
  };
  await Promise.all([1, 2, 3].map(() => borrowing(lab, 'APPROVED', use)));
  expect([used, made()]).toEqual([['inv-0', 'inv-0', 'inv-0'], 1]);
});

test('what a check has moved is lent to nobody', async () => {
  const { lab, states, made } = await sandbox();
  await borrowing(lab, 'APPROVED', async ({ id }) => void states.set(id, 'CANCELLED'));
  await borrowing(lab, 'APPROVED', async ({ id }) => expect(id).toBe('inv-1'));
  expect(made()).toBe(2);
});

test('each check takes its own from the first on that does not pass', async () => {
  const { lab } = await sandbox();
  const used: string[] = [];
  const broken = borrowing(lab, 'APPROVED', () => Promise.reject(new Error('it was accepted')));
  const others = [1, 2].map(() => borrowing(lab, 'APPROVED', async ({ id }) => void used.push(id)));
  await expect(broken).rejects.toThrow('it was accepted');
  await Promise.all(others);
  expect(used.sort()).toEqual(['inv-1', 'inv-2']);
});

test('an invoice that can be removed is made for each check', async () => {
  const { lab, made } = await sandbox();
  await borrowing(lab, 'SUBMITTED', async () => {});
  await borrowing(lab, 'SUBMITTED', async () => {});
  expect(made()).toBe(2);
});

test('nor is what is under way', async () => {
  const { lab, made } = await sandbox();
  await borrowing(lab, 'APPROVED', async (invoice) => {
    invoice.isUnderWay = true;
  });
  await borrowing(lab, 'APPROVED', async ({ id }) => expect(id).toBe('inv-1'));
  expect(made()).toBe(2);
});

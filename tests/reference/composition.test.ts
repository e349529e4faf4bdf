import { expect, test } from 'vitest';
import { findServer } from '../../cli/prove/servers.ts';
import { client } from './client.ts';

test('duplicate numbers by other organizations do not affect the list', async () => {
  const { send } = client(findServer({ kind: 'composition', id: 'numbers-meet-duplicates+busy-sandbox' }));
  const responses = new Set<number>();
  for (let looks = 0; looks < 2_000; looks++)
    responses.add((await send('seller', 'GET /api/v1/invoices?limit=1')).status);
  expect([...responses]).toEqual([200]);
});

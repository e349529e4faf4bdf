import { expect, test } from 'vitest';
import { findServer } from '../../cli/proof/servers.ts';
import { client } from './client.ts';

test('strangers whose numbers are taken meanwhile do not keep anybody from listing', async () => {
  const { send } = client(findServer({ kind: 'composition', id: 'numbers-taken-meanwhile+busy-sandbox' }));
  const answers = new Set<number>();
  for (let looks = 0; looks < 2_000; looks++)
    answers.add((await send('seller', 'GET /api/v1/invoices?limit=1')).status);
  expect([...answers]).toEqual([200]);
});

import type { ApiResponse } from '../../engine/model/messages.ts';
import { breach } from '../assert/expect.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check.ts';
import { findInList, findInvoice, readingActor } from '../invoices/find-invoice.ts';

/** The list and a read show the invoice in the same state. Throws a Breach if they still differ after the wait. */
export async function expectListedAsRead(ctx: CheckContext, id: string, after: ApiResponse): Promise<void> {
  const both = async () => ({ listed: await findInList(ctx, id, readingActor(ctx)), read: await findInvoice(ctx, id) });
  const agree = ({ listed, read }: Awaited<ReturnType<typeof both>>) => listed.record?.status === read.record?.status;
  const seen = await pollUntil(ctx, both, agree, 'reads and lists the same');
  if (agree(seen)) return;
  const { listed, read } = seen;
  const because = `the list shows ${String(listed.record?.status ?? 'no record of it')}`;
  const expected = `invoice ${id} listed as ${String(read.record?.status)}, as a read shows it`;
  throw breach(ctx, listed.response, expected, because, [after, read.response]);
}

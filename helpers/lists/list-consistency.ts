import type { ApiResponse } from '../../engine/model/messages.ts';
import { breach } from '../assert/expect.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check-context.ts';
import { findInList, findInvoice, readingActor } from '../invoices/find-invoice.ts';

/**
 * A list may come from elsewhere than what is read: both show whoever reads an invoice in one state. What has moved on by itself is
 * read by then.
 */
export async function expectListedAsRead(ctx: CheckContext, id: string, after: ApiResponse): Promise<void> {
  const both = async () => ({ listed: await findInList(ctx, id, readingActor(ctx)), read: await findInvoice(ctx, id) });
  const agree = ({ listed, read }: Awaited<ReturnType<typeof both>>) => listed.record?.status === read.record?.status;
  const seen = await pollUntil(ctx, both, agree);
  if (agree(seen)) return;
  const { listed, read } = seen;
  const because = `the list says ${String(listed.record?.status ?? 'nothing of it')}`;
  const expected = `invoice ${id} listed as ${String(read.record?.status)}, as it is read`;
  throw breach(ctx, listed.response, expected, because, [after, read.response]);
}

import type { ApiResponse } from '../../engine/model/messages.ts';
import { listInvoices } from '../api/operations.ts';
import { is2xx, type JsonObject, listItems } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check.ts';
import { findInList, findInvoice, readingActor } from '../invoices/find-invoice.ts';
import { recentInvoicesReader } from '../invoices/recent-invoices.ts';

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

const BY_AMOUNT = { page: 0, limit: 100, sortBy: 'amount', sortOrder: 'desc' } as const;

/**
 * The list by amount, which may come from another index, shows invoices in the same state as the list by createdAt. Throws a Breach for
 * an invoice that differs in every comparison during the wait: other checks may change some between the two reads.
 */
export async function expectSameStatesByAmount(ctx: CheckContext): Promise<void> {
  const readNewest = recentInvoicesReader(ctx);
  let suspects: readonly string[] | null = null;
  const compare = async () => {
    const response = await listInvoices(ctx, BY_AMOUNT);
    if (!is2xx(response)) return { response, differing: [] };
    const { records } = await readNewest();
    const all = differingStates(listItems(response), records);
    const differing: StateDifference[] = all.filter(({ id }) => suspects?.includes(id) ?? true);
    suspects = differing.map(({ id }) => id);
    return { response, differing };
  };
  const isSame = ({ differing }: Awaited<ReturnType<typeof compare>>) => differing.length === 0;
  const { response, differing } = await pollUntil(ctx, compare, isSame, ctx.target.limits.settleWithinMs);
  const [wrong] = differing;
  if (!wrong) return;
  const expected = `invoice ${wrong.id} with status ${wrong.newest}, as in the list by createdAt`;
  throw breach(ctx, response, expected, `the list by amount shows status ${wrong.shown}`);
}

interface StateDifference {
  id: string;
  shown: string;
  newest: string;
}

function differingStates(shown: readonly JsonObject[], newest: readonly JsonObject[]): StateDifference[] {
  const known = new Map(newest.map(({ id, status }) => [String(id), String(status)]));
  return shown.flatMap(({ id, status }) => {
    const current = known.get(String(id));
    const isSame = current === undefined || current === String(status);
    return isSame ? [] : [{ id: String(id), shown: String(status), newest: current }];
  });
}

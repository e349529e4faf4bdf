import type { CheckId } from '../../specs/generated/ids.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import { listInvoices } from '../api/operations.ts';
import { is2xx } from '../api/responses.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { type Check, checkInPhase } from '../context/check.ts';
import { type ListPage, parsePage } from '../invoices/list-page.ts';
import { whileUnchanged } from './snapshot.ts';

/** The sandbox actors except the seller, whose key every other check uses. */
export function otherSandboxActors(ctx: CheckContext): ActorName[] {
  const names = ctx.availableActors('buyer', 'readOnly', 'outsider');
  return names.length > 0 ? names : notApplicable('the target file has no second sandbox key');
}

/** A check of the other keys' lists while the kit changes nothing. Changes by other users of the sandbox are no breach. */
export function listsOfOtherKeysCheck(
  id: CheckId,
  inspect: (ctx: CheckContext, request: PageReader, name: ActorName) => Promise<boolean>,
  keysOf: (ctx: CheckContext) => ActorName[] = otherSandboxActors,
): Check {
  return checkInPhase('late', id, ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const inspected = await Promise.all(
        keysOf(ctx).map(async (name) => {
          const request: PageReader = async (page, limit, sortBy = 'createdAt') => {
            const query = { page, limit, sortBy, sortOrder: 'desc' };
            const response = await listInvoices(ctx, query, { as: ctx.credentials(name) });
            return is2xx(response) ? parsePage(response) : null;
          };
          return await inspect(ctx, request, name);
        }),
      );
      if (!inspected.includes(true)) notApplicable('no list of another key has the records that this check needs');
    }),
  );
}

export const MAX_LIMIT = 100;

/** Reads a page of one key's list, newest first by default; null if the server rejects the request. */
export type PageReader = (page: number, limit: number, sortBy?: string) => Promise<ListPage | null>;

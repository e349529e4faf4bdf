import type { CheckId } from '../../specs/generated/ids.ts';
import type { ActorName } from '../../specs/target.ts';
import { listInvoices } from '../api/operations.ts';
import { is2xx } from '../api/responses.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { Check } from '../context/check.ts';
import { checkInPhase } from '../context/check.ts';
import type { CheckContext } from '../context/check-context.ts';
import type { ListPage } from '../invoices/list-page.ts';
import { parsePage } from '../invoices/list-page.ts';
import { whileUnchanged } from './snapshot.ts';

/** Those beside the seller, whose key every other check uses. */
export function otherSandboxActors(ctx: CheckContext): ActorName[] {
  const names = ctx.availableActors('buyer', 'readOnly', 'outsider');
  return names.length > 0 ? names : notApplicable('the target file names no other key of the sandbox');
}

/** Looks at lists of the other keys while nothing of the kit's moves; what others do to them meanwhile is no breach. */
export function listsOfOtherKeysCheck(
  id: CheckId,
  look: (ctx: CheckContext, ask: PageReader, name: ActorName) => Promise<boolean>,
  keysOf: (ctx: CheckContext) => ActorName[] = otherSandboxActors,
): Check {
  return checkInPhase('late', id, ['seller'], (ctx) =>
    whileUnchanged(ctx, async () => {
      const looked = await Promise.all(
        keysOf(ctx).map(async (name) => {
          const ask: PageReader = async (page, limit, sortBy = 'createdAt') => {
            const query = { page, limit, sortBy, sortOrder: 'desc' };
            const response = await listInvoices(ctx, query, { as: ctx.credentials(name) });
            return is2xx(response) ? parsePage(response) : null;
          };
          return await look(ctx, ask, name);
        }),
      );
      if (!looked.includes(true)) notApplicable('no other key lists anything that could show it');
    }),
  );
}

export const MAX_LIMIT = 100;

/** A page of one key's list, the newest first where no other order is named; null where it is refused. */
export type PageReader = (page: number, limit: number, sortBy?: string) => Promise<ListPage | null>;

import { invalidCredentials } from '../../helpers/api/invalid-credentials.ts';
import { INVOICES_PATH, listInvoicesAt, listInvoicesBy } from '../../helpers/api/operations.ts';
import { type ApiResponse, invoiceIn, is2xx } from '../../helpers/api/responses.ts';
import {
  isInvoiceList,
  namingMethod,
  namingPath,
  PLAIN_SPELLINGS,
  PUBLIC_PATH,
  sendByDetour,
  servedSpellings,
} from '../../helpers/api/undeclared-paths.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { readableInvoice } from '../../helpers/authentication/readable-invoice.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { createUntouchedInvoices } from '../../helpers/controls/untouched-invoices.ts';
import { withSharedInvoice } from '../../helpers/fixtures/borrowed-invoices.ts';
import { findSettledInvoice } from '../../helpers/invoices/find-invoice.ts';
import { actionsLeadingTo, stateOffering } from '../../helpers/invoices/invoices.ts';
import { expectInvoiceUnchanged } from '../../helpers/lifecycle/unchanged-invoices.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

function expectNoList(ctx: CheckContext, responses: readonly ApiResponse[]): void {
  for (const response of responses) {
    const because = `the response lists invoices to ${response.request.actorLabel}`;
    expectThat(ctx, !isInvoiceList(response), response, 'no list, and 401 if the server serves the path', because);
  }
}

/** Only spellings that lead to the list count, which the requests with valid credentials have shown. */
function otherPathsCheck(id: CheckId, variant: 'both-missing' | 'secret-wrong'): Check {
  return check(id, ['seller'], async (ctx) => {
    const as = invalidCredentials[variant](ctx);
    const spellings = await servedSpellings(ctx);
    expectNoList(
      ctx,
      await Promise.all(spellings.map((spelling) => listInvoicesAt(ctx, spelling(INVOICES_PATH), { as }))),
    );
  });
}

/** Requests that name two paths or methods: a guard may look at one of them, and the router at the other. */
const AMBIGUOUS_LISTS = [
  { path: INVOICES_PATH, headers: namingPath(PUBLIC_PATH) },
  { path: PUBLIC_PATH, headers: namingPath(INVOICES_PATH) },
  { path: INVOICES_PATH, headers: [['X-Forwarded-Prefix', PUBLIC_PATH]] },
  { path: INVOICES_PATH, headers: namingMethod('OPTIONS') },
  { path: INVOICES_PATH, method: 'OPTIONS', headers: namingMethod('GET') },
  { path: `${INVOICES_PATH}?from=${PUBLIC_PATH}`, headers: [] },
] as const;

export const otherPathsChecks: readonly Check[] = [
  otherPathsCheck('AUTH-01.other-paths', 'both-missing'),

  otherPathsCheck('AUTH-03.other-paths', 'secret-wrong'),

  check('AUTH-07.rewritten', ['seller'], async (ctx) => {
    const as = invalidCredentials['secret-wrong'](ctx);
    expectNoList(ctx, await Promise.all(AMBIGUOUS_LISTS.map((each) => listInvoicesBy(ctx, { as, ...each }))));
    const nobody = AMBIGUOUS_LISTS.slice(1, 2).map((each) =>
      listInvoicesBy(ctx, { as: invalidCredentials['both-missing'](), ...each }),
    );
    expectNoList(ctx, await Promise.all(nobody));
  }),

  check('AUTH-07.read-other-paths', ['connection', 'read'], async (ctx) => {
    const { id } = await readableInvoice(ctx);
    const as = invalidCredentials['secret-wrong'](ctx);
    for (const spelling of PLAIN_SPELLINGS) {
      const response = await sendByDetour(ctx, 'read', id, as, { spelling });
      const isShown = is2xx(response) && String(invoiceIn(response)?.id) === id;
      expectThat(ctx, !isShown, response, '401, or no invoice', `the response shows the invoice to ${as.actorLabel}`);
    }
  }),

  check(
    'AUTH-07.submit-other-paths',
    ['connection', ...actionsLeadingTo(stateOffering('submit')), 'submit'],
    async (ctx) => {
      await createUntouchedInvoices(ctx);
      const detours = [
        ...PLAIN_SPELLINGS.slice(0, 1).map((spelling) => ({ spelling })),
        { headers: namingPath(PUBLIC_PATH) },
        { headers: namingMethod('OPTIONS') },
      ];
      await withSharedInvoice(ctx, stateOffering('submit'), async (invoice) => {
        const { record: before } = await findSettledInvoice(ctx, invoice);
        const as = invalidCredentials['secret-wrong'](ctx);
        let last: ApiResponse | undefined;
        for (const detour of detours) last = await sendByDetour(ctx, 'submit', invoice.id, as, detour);
        await expectInvoiceUnchanged(ctx, invoice, before, last);
      });
    },
  ),
];

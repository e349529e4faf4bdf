import { type InvalidCredentialsName, invalidCredentials } from '../api/invalid-credentials.ts';
import { INVOICES_PATH, listInvoicesBy } from '../api/operations.ts';
import { type ApiResponse, invoiceIn, is2xx, responsesOf } from '../api/responses.ts';
import {
  type Detour,
  isInvoiceList,
  namingMethod,
  namingPath,
  PLAIN_SPELLINGS,
  PUBLIC_PATH,
  sendByDetour,
  servedSpellings,
} from '../api/undeclared-paths.ts';
import { expectThat } from '../assert/expect.ts';
import type { CheckContext } from '../context/check.ts';
import { readableInvoice } from './readable-invoice.ts';

function expectNoList(ctx: CheckContext, responses: readonly ApiResponse[]): void {
  for (const response of responses) {
    const because = `the response lists invoices to ${response.request.actorLabel}`;
    expectThat(ctx, !isInvoiceList(response), response, 'no list, and 401 if the server serves the path', because);
  }
}

/** Only spellings that lead to the list count, which the requests with valid credentials have shown. */
export async function expectNoListByOtherPaths(ctx: CheckContext, variant: InvalidCredentialsName): Promise<void> {
  const as = invalidCredentials[variant](ctx);
  const paths = (await servedSpellings(ctx)).map((spelling) => spelling(INVOICES_PATH));
  expectNoList(ctx, await responsesOf(paths.map((path) => () => listInvoicesBy(ctx, { path, as }))));
}

/** Requests that name two paths or methods: a guard may look at one of them, and the router at the other. */
const NAMED_BY_HEADERS = { path: PUBLIC_PATH, headers: namingPath(INVOICES_PATH) };
const AMBIGUOUS_LISTS = [
  NAMED_BY_HEADERS,
  { path: INVOICES_PATH, headers: namingPath(PUBLIC_PATH) },
  { path: INVOICES_PATH, headers: [['X-Forwarded-Prefix', PUBLIC_PATH]] },
  { path: INVOICES_PATH, headers: namingMethod('OPTIONS') },
  { path: INVOICES_PATH, method: 'OPTIONS', headers: namingMethod('GET') },
  { path: `${INVOICES_PATH}?from=${PUBLIC_PATH}`, headers: [] },
] as const;

/** Throws a Breach if a request that names two paths or methods lists invoices without a valid secret. */
export async function expectNoListByAmbiguousRequests(ctx: CheckContext): Promise<void> {
  const as = invalidCredentials['secret-wrong'](ctx);
  const nobody = invalidCredentials['both-missing']();
  const lists = [...AMBIGUOUS_LISTS.map((each) => ({ as, ...each })), { as: nobody, ...NAMED_BY_HEADERS }];
  expectNoList(ctx, await responsesOf(lists.map((each) => () => listInvoicesBy(ctx, each))));
}

/** Throws a Breach if another spelling of its path shows an invoice without a valid secret. */
export async function expectNoReadByOtherPaths(ctx: CheckContext): Promise<void> {
  const { id } = await readableInvoice(ctx);
  const as = invalidCredentials['secret-wrong'](ctx);
  for (const spelling of PLAIN_SPELLINGS) {
    const response = await sendByDetour(ctx, 'read', id, as, { spelling });
    if (response === null) continue;
    const isShown = is2xx(response) && String(invoiceIn(response)?.id) === id;
    expectThat(ctx, !isShown, response, '401, or no invoice', `the response shows the invoice to ${as.actorLabel}`);
  }
}

/** Ways to submit an invoice that a guard may not recognize as one. */
export const SUBMISSION_DETOURS: readonly Detour[] = [
  ...PLAIN_SPELLINGS.slice(0, 1).map((spelling) => ({ spelling })),
  { headers: namingPath(PUBLIC_PATH) },
  { headers: namingMethod('OPTIONS') },
];

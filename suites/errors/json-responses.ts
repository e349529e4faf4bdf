import { invalidCredentials } from '../../helpers/api/invalid-credentials.ts';
import { listInvoices } from '../../helpers/api/operations.ts';
import { type ApiResponse, listItems } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { type Check, check } from '../../helpers/context/check.ts';

/** Headers that accept any media type, or prefer another language. */
const ACCEPT_HEADERS = [[['Accept', '*/*']], [['Accept-Language', 'de-DE']]] as const;

/** Whether the body is JSON or empty. */
function isJsonOrEmpty({ text, json }: ApiResponse): boolean {
  return text === '' || json !== undefined;
}

export const jsonResponsesChecks: readonly Check[] = [
  check('ERR-01.accept-headers', ['seller'], async (ctx) => {
    const plain = await listInvoices(ctx, { page: 0, limit: 1 });
    for (const headers of ACCEPT_HEADERS) {
      const listed = await listInvoices(ctx, { page: 0, limit: 1 }, { headers });
      const rejected = await listInvoices(ctx, { limit: 'many' }, { headers });
      const unknown = await listInvoices(ctx, {}, { headers, as: invalidCredentials['both-missing']() });
      for (const response of [listed, rejected, unknown])
        expectThat(ctx, isJsonOrEmpty(response), response, 'a JSON body', 'the body is not JSON');
      const [one] = listItems(plain);
      const same = listItems(listed).find(({ id }) => id === one?.id);
      const kept = !same || same.amount === one?.amount;
      expectThat(
        ctx,
        kept,
        listed,
        `amount ${String(one?.amount)}, as without the header`,
        `the amount is ${String(same?.amount)}`,
      );
    }
  }),
];

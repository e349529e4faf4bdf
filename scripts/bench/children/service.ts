import { startReference } from '../../../reference/service/start.ts';
import { longHistory } from './long-history.ts';
import { reportReady } from './ready-message.ts';

// The reference service in its own process, so that its cost is not measured. Argument: the number of existing invoices.
const history = Number(process.argv[2] ?? 0);
const { target } = await startReference(history > 0 ? longHistory(history) : {});
if (history > 0) await warmIndexes();
reportReady({ baseUrl: target.baseUrl, target });

/** Requests each sort order once, so that the indexes are built before the measurement, as in a database. */
async function warmIndexes(): Promise<void> {
  const { key, secret } = target.actors.seller;
  const fields = ['id', 'invoiceNumber', 'status', 'amount', 'currency', 'buyerOrganizationId', 'sellerOrganizationId'];
  for (const sortBy of [...fields, 'dueDate', 'createdAt', 'description']) {
    for (const sortOrder of ['asc', 'desc']) {
      const url = `${target.baseUrl}/api/v1/invoices?limit=1&sortBy=${sortBy}&sortOrder=${sortOrder}`;
      await (await fetch(url, { headers: { 'X-API-Key': key, 'X-API-Secret': secret } })).text();
    }
  }
}

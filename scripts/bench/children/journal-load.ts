import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { credentialsOf } from '../../../engine/model/credentials.ts';
import { parseTarget } from '../../../specs/target-file/target.ts';
import { ROOT } from '../root.ts';

// Sends requests with the built kit, without checks: mostly reads, one creation in ten requests and some lists. Arguments: the
// target file, the folder of the evidence, the number of exchanges.
const [file = '', folder = '', wanted = '0'] = process.argv.slice(2);
const builtUrl = (path: string) => pathToFileURL(`${ROOT}/dist/${path}`).href;
const { prepareRun } = (await import(
  builtUrl('engine/run/prepare-run.js')
)) as typeof import('../../../engine/run/prepare-run.ts');
const { RunContext } = (await import(
  builtUrl('engine/run/run-context.js')
)) as typeof import('../../../engine/run/run-context.ts');

const target = parseTarget(JSON.parse(readFileSync(file, 'utf8')));
const { headers: credentials, actorLabel, actor } = credentialsOf(target, 'seller');
const { plan } = await prepareRun({
  target,
  checks: ['AUTH-01.both-missing'],
  definitions: [],
  profile: 'full',
  filtered: [],
  seed: 1,
  strict: false,
  folder,
  signal: new AbortController().signal,
});
const run = new RunContext(plan);
const invoice = {
  sellerId: plan.organizations.seller,
  buyerId: plan.organizations.buyer,
  amount: '1.00',
  dueDate: '2099-01-01',
};
const seller = { actorLabel, actor, credentials };
let remaining = Number(wanted);
let latest = '';
await Promise.all(
  Array.from({ length: 16 }, async () => {
    while (remaining > 0) {
      remaining -= 1;
      if (latest === '' || remaining % 10 === 0) {
        const ask = {
          ...seller,
          operation: 'create',
          method: 'POST',
          path: '/api/v1/invoices',
          body: invoice,
        } as const;
        const { json } = await run.client.send(ask, 'LIST-01.items');
        latest = String((json as { id: string }).id);
      } else if (remaining % 1000 === 1) {
        const path = '/api/v1/invoices?limit=20';
        await run.client.send({ ...seller, operation: 'list', method: 'GET', path }, 'LIST-01.items');
      } else {
        const path = `/api/v1/invoices/${latest}`;
        await run.client.send({ ...seller, operation: 'read', method: 'GET', path }, 'LIST-01.items');
      }
    }
  }),
);
await run.close(null);
process.exit();

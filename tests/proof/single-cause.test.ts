import { expect, onTestFinished, test, vi } from 'vitest';
import { type CheckOutcome, judgeServer } from '../../cli/prove/judge-server.ts';
import { allFaults } from '../../reference/faults/all.ts';
import { otherEnvironmentOf } from '../../reference/faults/support/environments.ts';
import { overrideRules } from '../../reference/overrides/override-rules.ts';
import type { ServerOverrides } from '../../reference/overrides/server-overrides.ts';
import { matchChecks } from '../../specs/catalogue/selection.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { startFront } from '../hostile/support/hostile-proxy.ts';
import { judged } from '../hostile/support/judged-run.ts';

vi.setConfig({ testTimeout: 240_000 });

const isRed = ({ verdict }: Pick<CheckOutcome, 'verdict'>) => verdict === 'fail' || verdict === 'warn';

async function verdictsOn(server: ServerOverrides, patterns: readonly string[]): Promise<CheckOutcome[]> {
  return await judgeServer(server, [...new Set(patterns.flatMap(matchChecks))]);
}

async function redOn(server: ServerOverrides, patterns: readonly string[]): Promise<CheckId[]> {
  return (await verdictsOn(server, patterns)).filter(isRed).map(({ id }) => id);
}

function fault(id: string): ServerOverrides {
  return allFaults.find((each) => each.id === id) ?? expect.unreachable(`no fault ${id}`);
}

test('a total of both environments fails only the checks of the isolation', async () => {
  const rules = overrideRules((base) => ({
    page: (call, invoices, query) => {
      const other = base.visibleInvoices({ ...call, world: otherEnvironmentOf(call) }).length;
      const total = invoices.length + other;
      return { ...base.page(call, invoices, query), total, totalPages: Math.ceil(total / query.limit) };
    },
  }));
  const red = await redOn({ rules }, ['LIST-01', 'LIST-02', 'ISO-03', 'CREATE-11.created']);
  expect(red).toContain('ISO-03.totals');
  expect(red.filter((id) => !id.startsWith('ISO-03.'))).toEqual([]);
});

test('a code with a wrong status fails only the check of that code', async () => {
  expect(await redOn(fault('err-inv002-with-422'), ['ERR-06', 'CREATE'])).toEqual(['ERR-06.inv002']);
});

test('a rejected X-Environment of the key fails only checks of the header', async () => {
  const red = await redOn(fault('env-named-rejected-on-submit'), ['ENV', 'LIFE-02', 'LIFE-03', 'PERM-01', 'ISO-04']);
  expect(red).toContain('ENV-03.submit');
  expect(red.filter((id) => !id.startsWith('ENV-'))).toEqual([]);
});

test('an environment in lower case fails only the check of the letter case', async () => {
  expect(await redOn(fault('env-lower-case-accepted'), ['ENV-01'])).toEqual(['ENV-01.lower-case']);
});

test('a leap day that is stored as the next day fails only the check of the values', async () => {
  const rules = overrideRules((base) => ({
    issueInvoice: (call, input, number) =>
      base.issueInvoice(call, { ...input, dueDate: input.dueDate.replace(/-02-29$/, '-03-01') }, number),
  }));
  expect(await redOn({ rules }, ['CREATE-07', 'CREATE-11'])).toEqual(['CREATE-11.edge-due-dates']);
});

test('a list without a limit that is too large fails no check of other parameter names', async () => {
  const rules = overrideRules((base) => ({
    page: (call, invoices, query) => {
      const limit = call.request.query.has('limit') ? query.limit : 250;
      return base.page(call, invoices, { ...query, limit });
    },
  }));
  const red = await redOn({ rules }, ['LIST-05', 'LIST-02.last-page', 'CREATE']);
  expect(red.filter((id) => id.startsWith('LIST-'))).toEqual(['LIST-05.default', 'LIST-05.limit']);
});

test('a list in the wrong order leaves its totals, limits and other orders to judge', async () => {
  const areas = ['LIST-02', 'LIST-03', 'LIST-05', 'LIST-07'];
  const found = await verdictsOn(fault('list-created-at-ascending'), ['LIST-06.created-at-desc', 'CREATE', ...areas]);
  const unjudged = found.filter(({ id, verdict }) => verdict === 'blocked' && areas.includes(id.slice(0, 7)));
  expect(unjudged.map(({ id }) => id)).toEqual([]);
  expect(found.filter(isRed).map(({ id }) => id)).toEqual(['LIST-06.created-at-desc']);
});

test('a connection that closes instead of a rejection fails only the checks of rejected actions', async () => {
  const front = await startFront({
    changes: (response, incoming) => {
      const isRejectedDeletion = incoming.method === 'DELETE' && (response.status === 412 || response.status === 409);
      if (isRejectedDeletion) incoming.socket.destroy();
      return response;
    },
  });
  onTestFinished(() => front.close());
  const { report } = await judged(front.target(), { only: ['LIFE-01', 'LIFE-02', 'LIFE-10'] });
  const red = report?.checks.filter(isRed) ?? [];
  expect(red.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['LIFE-02.submitted-delete', 'LIFE-02.random-sequence']),
  );
  expect([...new Set(red.map(({ requirement }) => requirement))]).toEqual(['LIFE-02']);
  expect(red.find(({ id }) => id === 'LIFE-02.submitted-delete')?.reproduction?.script).toContain('MAY_GET_NONE');
});

test('a settlement that is rejected and pays is not only called concurrent', async () => {
  const routes: ServerOverrides['routes'] = (base) =>
    base.map((route) => ({
      ...route,
      perform: async (call) => {
        const invoice = call.world.invoices.get(call.request.params.id ?? '');
        if (route.name === 'settle' && invoice?.status === 'SETTLED') call.rules.settle(call, invoice);
        return route.perform(call);
      },
    }));
  const [found] = await verdictsOn({ routes }, ['LIFE-02.paid-once']);
  expect(found?.verdict).toBe('fail');
  expect(found?.reason).toMatch(
    /^one more settlement, sent alone, returned 4\d\d and moved .* again; before it, 8 concurrent/,
  );
});

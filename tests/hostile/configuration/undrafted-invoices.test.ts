import { expect, onTestFinished, test, vi } from 'vitest';
import { overrideRules, type RuleChange } from '../../../reference/overrides/override-rules.ts';
import { startReference } from '../../../reference/service/start.ts';
import { having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

const CREATED_SUBMITTED = overrideRules((base) => ({
  issueInvoice: (call, input, number) => {
    const invoice = base.issueInvoice(call, input, number);
    invoice.status = 'SUBMITTED';
    return invoice;
  },
}));
const STARTING_LATER = ['LIFE-01.submitted-approve', 'LIFE-02.cancelled-approve', 'LIFE-03.submitted-settle'];
const OF_SUBMIT = ['LIFE-01.draft-submit', 'LIFE-02.submitted-submit'];
const REASON = 'the target file declares operations.submit not-offered';

async function judgedWithoutSubmit(rules?: RuleChange) {
  const service = await startReference(rules && { rules });
  onTestFinished(() => service.close());
  const absent = 'not-offered' as const;
  const target = { ...service.target, allow: {}, operations: { ...service.target.operations, submit: absent } };
  return await judged(target, { only: [...STARTING_LATER, ...OF_SUBMIT] });
}

test('a server without a submit operation that creates submitted invoices is judged from SUBMITTED on', async () => {
  const found = await judgedWithoutSubmit(CREATED_SUBMITTED);
  expect([found.exitCode, having(found, 'pass').sort()], found.said).toEqual([0, STARTING_LATER]);
  expect(having(found, 'not-applicable').sort()).toEqual(OF_SUBMIT);
});

test('no check passes for lack of a submission if new invoices are drafts', async () => {
  const found = await judgedWithoutSubmit();
  expect(having(found, 'not-applicable').sort(), found.said).toEqual([...STARTING_LATER, ...OF_SUBMIT].sort());
  expect(found.report?.checks.map(({ reason }) => reason)).toEqual(Array(5).fill(REASON));
});

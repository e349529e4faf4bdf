import { expect, onTestFinished, test, vi } from 'vitest';
import { overrideRules, type RuleChange } from '../../../reference/overrides/override-rules.ts';
import { RejectionError } from '../../../reference/service/rejection.ts';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import { having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

type Actors = RunningReference['target']['actors'];

async function run(change: (actors: Actors) => object, rules?: RuleChange) {
  const service = await startReference(rules && { rules });
  onTestFinished(() => service.close());
  const actors = change(service.target.actors) as Actors;
  return await judged({ ...service.target, actors, allow: {} }, { only: ['AUTH-01', 'ISO-04', 'LIST-09'] });
}

test.each([
  ['without an organizationId', false],
  ['with the organizationId of a third organization', true],
])('a read-only key of the seller as outsider, %s, is a problem of actors.outsider', async (_, hasId) => {
  const { exitCode, said } = await run(({ readOnly, outsider, ...others }) => {
    const { organizationId, ...credentials } = readOnly;
    const id = hasId ? { organizationId: outsider.organizationId } : {};
    return { ...others, outsider: { ...credentials, ...id } };
  });
  expect([exitCode, said.split('\n')]).toEqual([
    2,
    [
      expect.stringMatching(
        /^actors\.outsider: .* only invoices of the seller or the buyer, and may create none \(403 /,
      ),
    ],
  ]);
});

test('an outsider whose organization is suspended blocks its checks, with what the server says', async () => {
  let key = '';
  const rules = overrideRules((honest) => ({
    authorize: (call) => {
      if (call.key.key === key) throw new RejectionError(403, 'ORG_SUSPENDED', 'The organization is suspended');
      honest.authorize(call);
    },
  }));
  const found = await run((actors) => {
    key = actors.outsider.key;
    return actors;
  }, rules);
  expect([found.exitCode, having(found, 'fail')], found.said).toEqual([3, []]);
  const check = found.report?.checks.find(({ id }) => id === 'ISO-04.read');
  expect(check).toMatchObject({
    blockedBy: 'actors.outsider of the target file',
    reason: expect.stringMatching(/^the key of actors\.outsider may not send GET \S+ \(403 .*ORG_SUSPENDED/),
  });
});

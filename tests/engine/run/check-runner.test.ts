import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { TargetChangeProbe } from '../../../engine/diagnosis/target-change-probe.ts';
import { JOURNAL_FILE } from '../../../engine/evidence/journal.ts';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import { Blocked, Breach, InsufficientFunds } from '../../../engine/model/outcomes.ts';
import type { CheckDefinition, CheckExecution } from '../../../engine/run/check-definition.ts';
import { CheckRunner } from '../../../engine/run/check-runner.ts';
import type { RunContext } from '../../../engine/run/run-context.ts';
import type { RunPlan } from '../../../engine/run/run-plan.ts';
import { type JournalRecord, journalRecord } from '../../../specs/formats/journal.ts';
import { parseLine } from '../../../specs/formats/journal-chain.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { allRules } from '../../../suites/every-exchange/all-rules.ts';
import { unmasked } from '../support/responses.ts';
import { seller, targetAt } from '../support/targets.ts';

/** There is no server to probe. */
beforeEach(() => {
  vi.spyOn(TargetChangeProbe.prototype, 'findChange').mockResolvedValue(null);
});

const FIRST: CheckId = 'AUTH-01.both-missing';
const SECOND: CheckId = 'AUTH-02.unknown';
const JUDGED: CheckId = 'RATE-01.reset-header';

interface Bench {
  run: RunContext;
  execution: CheckExecution;
}
type Definition = CheckDefinition<Bench>;

function definition(id: CheckId, body: Definition['body'], more: Partial<Definition> = {}): Definition {
  return { id, needs: [], phase: 'main', priority: 'normal', body, ...more };
}

function session(
  definitions: Definition[],
  tidyUp: (run: RunContext) => Promise<void> = async () => {},
  tryPermission: (bench: Bench) => Promise<void> = async () => {},
  validUse: () => Promise<ApiResponse | null> = async () => null,
) {
  const folder = mkdtempSync(join(tmpdir(), 'kit-session-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const journal = join(folder, JOURNAL_FILE);
  const plan: RunPlan = {
    runId: 'run-1',
    target: targetAt('http://127.0.0.1:1'),
    journalPath: journal,
    seed: 1,
    strict: false,
    mayMutate: true,
    selected: [...definitions.map(({ id }) => id), JUDGED],
    organizations: {},
  };
  const made = new CheckRunner(plan, {
    definitions,
    customChecks: [],
    customAreas: [],
    createContext: (run, execution) => ({ run, execution }),
    beforeFirstCreation: async () => {},
    verifyBindings: async () => {},
    rules: allRules,
    probePermission: tryPermission,
    probeOperation: validUse,
    emptiedSandboxReason: async () => null,
    countInvoices: async () => 0,
    cleanUp: tidyUp,
  });
  const journalled = (): JournalRecord[] =>
    readFileSync(journal, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => journalRecord.parse(parseLine(line)));
  const all = async () => {
    made.start();
    const records = await Promise.all(made.ids.map((id) => made.runCheck(id)));
    await made.close();
    return records;
  };
  return { made, all, journalled };
}

describe('a run', () => {
  test('performs the selected checks and exchange rules, and writes each and the footer to the journal', async () => {
    const { all, journalled } = session([
      definition(FIRST, async () => {}),
      definition(SECOND, async () => {
        throw new Breach({ reason: 'it is 200', expected: '401', actual: '200', exchanges: [] });
      }),
    ]);
    const verdicts = (await all()).map((record) => [record?.id, record?.verdict]);
    expect(verdicts).toEqual([
      [FIRST, 'pass'],
      [SECOND, 'fail'],
      [JUDGED, 'not-applicable'],
    ]);
    const records = journalled();
    expect(records.map(({ kind }) => kind)).toEqual(['check', 'check', 'check', 'footer']);
    expect(records.at(-1)).toMatchObject({ interrupted: null });
  });

  test('blocks a check whose needs the target file does not meet, without running it', async () => {
    const run = () => Promise.reject(new Error('it ran'));
    const { all } = session([definition(FIRST, run, { needs: ['seller', 'outsider'] })]);
    expect((await all())[0]).toMatchObject({
      verdict: 'blocked',
      blockedBy: 'actors.outsider of the target file',
      reason: 'the check needs actors.outsider of the target file',
    });
  });

  test('blocks a payment without sufficient funds by the paying party if no payment succeeded', async () => {
    const unpaid = () => Promise.reject(new InsufficientFunds('the treasury lacks the funds'));
    const { all } = session([definition(FIRST, unpaid)]);
    expect((await all())[0]).toMatchObject({
      verdict: 'blocked',
      blockedBy: 'actors.buyer of the target file',
      reason:
        'actors.buyer: the treasury lacks the funds; add funds to the sandbox treasury that pays, or declare operations.settle not-offered',
    });
    const settled = { status: 200, request: { actor: 'buyer', operation: 'settle' } } as ApiResponse;
    const later = session([
      definition(FIRST, async ({ run }) => {
        run.permissions.observe(settled);
        await unpaid();
      }),
    ]);
    expect((await later.all())[0]).toMatchObject({ verdict: 'not-applicable', blockedBy: null });
  });

  test('blocks a failure by the lost operation, and all later failures', async () => {
    const gone = {
      status: 404,
      json: { code: 'REQ003' },
      request: { actor: 'buyer', operation: 'approve' },
    } as ApiResponse;
    const suspect = { actor: 'buyer', operation: 'approve' } as const;
    const found = () => new Breach({ reason: 'it is 404', expected: '412', actual: '404', exchanges: ['x1'] });
    const { all } = session(
      [
        definition(FIRST, async ({ execution }) => {
          execution.suspectOperations.set('x1', suspect);
          throw found();
        }),
      ],
      undefined,
      undefined,
      async () => ({ ...gone, headers: [], text: '', requestLine: 'POST /approve', mask: unmasked }),
    );
    expect((await all())[0]).toMatchObject({
      verdict: 'blocked',
      blockedBy: 'operations.approve of the target file',
      reason: expect.stringContaining('succeeded earlier in this run'),
    });
  });

  test('continues after an internal error in a check', async () => {
    const { all } = session([
      definition(FIRST, () => Promise.reject(new TypeError('x is undefined'))),
      definition(SECOND, () => Promise.reject(new Blocked(FIRST, 'the other failed first'))),
    ]);
    expect((await all()).map((record) => record?.verdict)).toEqual(['error', 'blocked', 'not-applicable']);
  });

  test('repeats a check after a resent change, and no other', async () => {
    const tries: string[] = [];
    const found = () => new Breach({ reason: 'it is 412', expected: '200', actual: '412', exchanges: [] });
    const seen = session([
      definition(FIRST, async ({ execution }) => {
        tries.push('first');
        execution.mayHaveDuplicatedMutation = tries.length < 3;
        throw found();
      }),
      definition(SECOND, async ({ execution }) => {
        execution.mayHaveDuplicatedMutation = true;
        throw found();
      }),
    ]);
    const [first, second] = await seen.all();
    expect(tries).toHaveLength(3);
    expect(first).toMatchObject({ verdict: 'fail', reason: 'it is 412' });
    expect(second).toMatchObject({ verdict: 'blocked', blockedBy: 'target', reason: expect.stringContaining('412') });
  });

  test('blocks a breach by the precondition whose verdict comes later', async () => {
    const found = () => new Breach({ reason: 'it is 3', expected: '2', actual: '3', exchanges: [] });
    const resting: CheckId = 'LIST-08.walk';
    const owner: CheckId = 'LIST-04.first-is-zero';
    const { all, journalled } = session([
      definition(resting, async () => Promise.reject(found())),
      definition(owner, async () => Promise.reject(found()), { phase: 'late' }),
    ]);
    const [blocked, failed] = await all();
    expect(blocked).toMatchObject({ verdict: 'blocked', blockedBy: owner, expected: '', decisive: [] });
    expect(failed).toMatchObject({ verdict: 'fail', reason: 'it is 3' });
    expect(journalled().map((record) => ('verdict' in record ? record.verdict : record.kind))).toEqual([
      'fail',
      'blocked',
      'not-applicable',
      'footer',
    ]);
  });

  test('does not start a check whose precondition has failed', async () => {
    const resting: CheckId = 'LIST-08.walk';
    const owner: CheckId = 'LIST-04.first-is-zero';
    const { all } = session([
      definition(owner, async () => {
        throw new Breach({ reason: 'it is 3', expected: '2', actual: '3', exchanges: [] });
      }),
      definition(resting, () => Promise.reject(new Error('it ran')), { phase: 'late' }),
    ]);
    expect((await all())[1]).toMatchObject({ verdict: 'blocked', blockedBy: owner });
  });

  test('begins its late phase while a check only waits, and ends it with that check', async () => {
    const diary: string[] = [];
    let wake = () => {};
    const waiting = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const { all } = session([
      definition(FIRST, async ({ execution }) => {
        execution.allowLatePhase();
        await waiting;
        diary.push('main');
      }),
      definition(
        SECOND,
        async () => {
          diary.push('late');
          wake();
        },
        { phase: 'late' },
      ),
      definition('RESET-01.accepted', async () => void diary.push('reset'), { phase: 'reset' }),
    ]);
    await all();
    expect(diary).toEqual(['late', 'main', 'reset']);
  });

  test('ends although the shared work of a check goes on after the check', async () => {
    let asked: CheckExecution | undefined;
    const { all } = session([
      definition(FIRST, async ({ execution }) => {
        asked = execution;
      }),
      definition(SECOND, async () => asked?.allowLatePhase(), { phase: 'late' }),
    ]);
    expect((await all()).map((record) => record?.verdict)).toEqual(['pass', 'pass', 'not-applicable']);
  });

  test('cleans up after the late checks and before the reset', async () => {
    const diary: string[] = [];
    const note = (word: string) => async () => void diary.push(word);
    const { all } = session(
      [definition(FIRST, note('reset'), { phase: 'reset' }), definition(SECOND, note('late'), { phase: 'late' })],
      note('tidied up'),
    );
    await all();
    expect(diary).toEqual(['late', 'tidied up', 'reset']);
  });

  test('masks the secrets in the messages of a check', async () => {
    const { all, journalled } = session([definition(FIRST, () => Promise.reject(new Error(`sent ${seller.secret}`)))]);
    const told = await all();
    expect(JSON.stringify([told, journalled()])).not.toContain(seller.secret);
  });

  test('that is stopped gives no verdict to unexecuted checks and says so at the end', async () => {
    const { made, all, journalled } = session([
      definition(FIRST, async ({ run }) => run.stop('the test stopped it')),
      definition(SECOND, async () => {}, { phase: 'late' }),
    ]);
    expect((await all()).map((record) => record?.verdict)).toEqual(['pass', undefined, undefined]);
    expect(made.run.isStopped).toBe(true);
    const records = journalled();
    expect(records.map(({ kind }) => kind)).toEqual(['check', 'footer']);
    expect(records.at(-1)).toMatchObject({ interrupted: expect.stringMatching(/stopped/) });
  });

  test('records observations of the target and leftovers of the kit', async () => {
    const { all, journalled } = session([
      definition(FIRST, async ({ run }) => {
        run.observations.record('initial-state', 'DRAFT');
        run.observations.record('create-record-place', 'b');
        run.observations.record('create-record-place', 'a');
        run.observations.record('create-record-place', 'b');
        run.leftovers.recordCreated('1', 'invoice DRAFT', 'not deleted');
        run.leftovers.recordCreated('2', 'invoice DRAFT', 'not deleted');
        run.leftovers.recordDeleted('1');
      }),
    ]);
    await all();
    const records = journalled();
    const values = records.flatMap((record) => (record.kind === 'observation' ? [[record.id, record.value]] : []));
    expect(values).toEqual([
      ['initial-state', 'DRAFT'],
      ['create-record-place', ['a', 'b']],
    ]);
    expect(records.filter(({ kind }) => kind === 'leftover')).toMatchObject([{ id: '2', what: 'invoice DRAFT' }]);
  });
});

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { accepted } from '../helpers/accepted.ts';
import { type Answer, invoiceIn, inWords } from '../helpers/answers.ts';
import { type Check, check, checkIn } from '../helpers/check.ts';
import { actionWorks } from '../helpers/controls.ts';
import { breach, expectAccepted, expectThat } from '../helpers/expect.ts';
import { amountsOf, placeLoweredBy } from '../helpers/funds.ts';
import { validBody } from '../helpers/invoice-body.ts';
import { freshInvoice, invoiceOf, keepTrack, reach } from '../helpers/invoices.ts';
import type { Lab } from '../helpers/lab.ts';
import { findOf, freshest, isOf, look, lookUntil, newest } from '../helpers/look.ts';
import { notApplicable } from '../helpers/not-judged.ts';
import { act, binding, postInvoice, postInvoicesTogether, treasury, withdrawTogether } from '../helpers/operations.ts';
import { partyFor, perform } from '../helpers/parties.ts';
import { expectOriginal, type Original, original } from '../helpers/replay.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import { lifecycle } from '../specs/lifecycle.ts';

async function expectOneInvoice(lab: Lab, { body }: Pick<Original, 'body'>, last: Answer): Promise<void> {
  await findOf(lab, body);
  // Pages may move on between two looks: the same invoice on both is still one.
  const copies = new Set((await freshest(lab)).filter((record) => isOf(record, body)).map(({ id }) => String(id)));
  const because = `there are ${copies.size}: ${[...copies].join(', ')}`;
  expectThat(lab, copies.size === 1, last, `one invoice of requestId ${body.requestId}`, because);
}

/** Requests that arrive at the same moment. */
const VOLLEY = 20;

/** Made at the beginning of the run, so that its replays at the end come late. */
const earlyCreation = (lab: Lab) => lab.run.once('early creation', () => original(lab));

const replayedCreation = [
  check('IDEM-01.status', ['connection'], async (lab) => {
    const { body, answer } = await earlyCreation(lab);
    const again = await postInvoice(lab, body);
    expectThat(
      lab,
      again.status === answer.status,
      again,
      `the original status ${answer.status}`,
      `answered with ${again.status}`,
    );
  }),

  check('IDEM-01.invoice', ['connection'], async (lab) => {
    const { body, answer } = await original(lab);
    for (let times = 0; times < 2; times += 1) expectOriginal(lab, answer, await postInvoice(lab, body));
  }),

  check('IDEM-01.uuid', ['connection'], async (lab) => {
    const { body, answer } = await original(lab, randomUUID());
    expectOriginal(lab, answer, await postInvoice(lab, body));
  }),

  checkIn('late', 'IDEM-01.late', ['connection'], async (lab) => {
    const { body, answer } = await earlyCreation(lab);
    expectOriginal(lab, answer, await postInvoice(lab, body));
  }),

  checkIn('late', 'IDEM-01.after-move', ['connection'], async (lab) => {
    const { body, answer, invoice } = await original(lab);
    const next = lifecycle.offered[invoice.state].find(
      (action) => lifecycle.leadsTo[action] && lab.target.operations[action],
    );
    if (!next) notApplicable(`no bound action leads a new invoice on from ${invoice.state}`);
    const moved = await perform(lab, next, invoice.id);
    if (!accepted(moved)) notApplicable(`${next} is refused; LIFE-01 judges that`);
    const { record } = await lookUntil(lab, invoice.id, (found) => found?.status === lifecycle.leadsTo[next]);
    keepTrack(lab, { id: invoice.id, state: lifecycle.leadsTo[next] ?? invoice.state });
    expectOriginal(lab, answer, await postInvoice(lab, body));
    const after = await look(lab, invoice.id);
    expectThat(
      lab,
      after.record?.status === record?.status,
      after.answer,
      `status ${String(record?.status)}, as before the replay`,
      `it is ${String(after.record?.status)}`,
    );
  }),

  check('IDEM-01.after-delete', ['connection', 'delete'], async (lab) => {
    const { body, answer, invoice } = await original(lab);
    if (invoice.state !== 'DRAFT') return notApplicable('no invoice is ever a DRAFT');
    const deleted = await perform(lab, 'delete', invoice.id);
    if (!accepted(deleted)) notApplicable('delete is refused; LIFE-01 judges that');
    const { record } = await lookUntil(lab, invoice.id, (found) => found?.status !== 'DRAFT');
    if (!record) lab.run.removed(invoice.id);
    const again = await postInvoice(lab, body);
    const created = invoiceIn(again);
    if (created && String(created.id) !== invoice.id) await invoiceOf(lab, body, again);
    expectOriginal(lab, answer, again);
  }),

  check('IDEM-10.whole-body', ['connection'], async (lab) => {
    const { body, answer } = await original(lab);
    const again = await postInvoice(lab, body);
    expectThat(
      lab,
      isDeepStrictEqual(again.json, answer.json),
      again,
      `the original body ${answer.text}`,
      'the replayed body differs',
    );
  }),

  check('IDEM-02.one-invoice', ['connection'], async (lab) => {
    const first = await original(lab);
    await postInvoice(lab, first.body);
    await expectOneInvoice(lab, first, await postInvoice(lab, first.body));
  }),

  check('IDEM-02.simultaneous', ['connection'], async (lab) => {
    for (let volley = 0; volley < 2; volley += 1) {
      const body = { ...validBody(lab), requestId: lab.requestId() };
      const answers = await postInvoicesTogether(lab, Array(VOLLEY).fill(body));
      const good = answers.filter(accepted);
      const [first] = good;
      if (!first) {
        throw breach(lab, answers[0] as Answer, `one of ${VOLLEY} equal creations accepted`, 'none was');
      }
      await invoiceOf(lab, body, first);
      const ids = new Set(good.map((each) => invoiceIn(each)?.id));
      expectThat(lab, ids.size === 1, first, 'one invoice in all accepted answers', `there are ${[...ids].join(', ')}`);
      await expectOneInvoice(lab, { body }, first);
    }
  }),

  check('IDEM-09.other-body', ['connection'], async (lab) => {
    const { body } = await original(lab);
    const other = { ...validBody(lab), requestId: body.requestId };
    const answer = await postInvoice(lab, other);
    lab.observe('replay-other-body', answer.status);
    const { records } = await newest(lab);
    const created = records.find((record) => isOf(record, other));
    if (created) await invoiceOf(lab, other, answer);
    expectThat(
      lab,
      !created,
      answer,
      'no new invoice for a repeated requestId',
      `invoice ${String(created?.id)} was created`,
    );
  }),

  check('IDEM-12.after-refusal', ['connection'], async (lab) => {
    const refused = { ...validBody(lab), amount: 'twelve', requestId: lab.requestId() };
    const first = await postInvoice(lab, refused);
    if (accepted(first)) notApplicable('the invalid original was accepted; CREATE-03 judges that');
    const corrected = { ...refused, amount: validBody(lab).amount };
    const answer = await postInvoice(lab, corrected);
    lab.observe('replay-after-refusal', answer.status);
    expectAccepted(
      lab,
      answer,
      `a valid creation with requestId ${refused.requestId}, first refused with ${first.status}`,
    );
    await invoiceOf(lab, corrected, answer);
  }),
];

/** Two requestIds that a careless comparison takes for one. */
function distinct(id: CheckId, alike: (requestId: string) => readonly [string, string]): Check {
  return check(id, ['connection'], async (lab) => {
    const [one, two] = alike(lab.requestId());
    const first = await original(lab, one);
    const body = { ...validBody(lab), requestId: two };
    const answer = await postInvoice(lab, body);
    expectAccepted(lab, answer, `a creation with requestId ${two}, after one with ${one}`);
    const second = await invoiceOf(lab, body, answer);
    expectThat(
      lab,
      second.id !== first.invoice.id,
      answer,
      `an invoice of its own for requestId ${two}`,
      `it is invoice ${first.invoice.id} of requestId ${one}`,
    );
  });
}

const LENGTHS = [300, 100] as const;

/** Long requestIds that differ at their end, as long as this server takes them. */
const veryLong = check('IDEM-06.very-long', ['connection'], async (lab) => {
  for (const length of LENGTHS) {
    const stem = lab.requestId().padEnd(length - 1, '-');
    const body = { ...validBody(lab), requestId: `${stem}1` };
    const first = await postInvoice(lab, body);
    if (first.status === 400) continue;
    expectAccepted(lab, first, `a creation with a requestId of ${length} characters`);
    const other = { ...validBody(lab), requestId: `${stem}2` };
    const second = await postInvoice(lab, other);
    expectAccepted(lab, second, `a creation with another requestId of ${length} characters`);
    const [made, more] = [await invoiceOf(lab, body, first), await invoiceOf(lab, other, second)];
    const because = `it is invoice ${made.id} of the requestId that differs in its last character`;
    return expectThat(lab, made.id !== more.id, second, 'an invoice of its own', because);
  }
  notApplicable(`requestIds of ${LENGTHS.join(' and ')} characters are refused`);
});

/** The same for submissions of two drafts: the second one must leave DRAFT. */
function distinctSubmission(id: CheckId, alike: (requestId: string) => readonly [string, string]): Check {
  return check(id, ['connection', 'submit'], async (lab) => {
    if (!(await actionWorks(lab, 'submit'))) notApplicable('no invoice is ever a DRAFT');
    const ids = alike(lab.requestId());
    const as = lab.who(partyFor(lab, 'submit'));
    for (const requestId of ids) {
      const invoice = await reach(lab, 'DRAFT');
      const answer = await act(lab, 'submit', invoice.id, { as, requestId });
      expectAccepted(lab, answer, `a submission with requestId ${requestId}`);
      const { record, held } = await lookUntil(lab, invoice.id, (found) => found?.status !== 'DRAFT');
      const because = `it is still ${String(record?.status)}; the requestIds of two submissions were ${ids.join(' and ')}`;
      expectThat(lab, held, answer, `invoice ${invoice.id} no DRAFT any more`, because);
      keepTrack(lab, { id: invoice.id, state: 'SUBMITTED' });
    }
  });
}

const separateRequests = [
  distinct('IDEM-06.other-case', (requestId) => [`${requestId}-abc`, `${requestId}-ABC`]),
  distinct('IDEM-06.other-letters', (requestId) => [`${requestId}-ghk`, `${requestId}-xyz`]),
  distinct('IDEM-06.punctuation', (requestId) => [`${requestId}-ab`, `${requestId}-a-b`]),
  distinctSubmission('IDEM-06.submit-other-case', (requestId) => [`${requestId}-abc`, `${requestId}-ABC`]),
  distinctSubmission('IDEM-06.submit-last-character', (requestId) => [
    `${requestId.padEnd(35, '-')}1`,
    `${requestId.padEnd(35, '-')}2`,
  ]),
  veryLong,
  check('IDEM-13.outer-blank', ['connection'], async (lab) => {
    const first = await original(lab);
    const body = { ...validBody(lab), requestId: `${first.body.requestId} ` };
    const answer = await postInvoice(lab, body);
    if (!accepted(answer)) notApplicable(`a requestId that ends in a blank is refused (${answer.status})`);
    const second = await invoiceOf(lab, body, answer);
    const because = `it is invoice ${first.invoice.id} of the requestId without the blank`;
    expectThat(lab, second.id !== first.invoice.id, answer, 'an invoice of its own', because);
  }),
  distinct('IDEM-06.longer', (requestId) => [requestId, `${requestId}0`]),
  distinct('IDEM-06.last-character', (requestId) => [`${requestId.padEnd(35, '-')}1`, `${requestId.padEnd(35, '-')}2`]),

  check('IDEM-07.other-organization', ['connection', 'outsider'], async (lab) => {
    const { body, invoice, answer } = await original(lab);
    const own = { ...validBody(lab), sellerId: lab.organization('outsider'), requestId: body.requestId };
    for (const theirs of [body, own]) {
      const seen = await postInvoice(lab, theirs, { as: lab.who('outsider') });
      const leaked = invoiceIn(seen)?.id === invoice.id || seen.text.includes(invoice.id);
      if (leaked)
        throw breach(
          lab,
          seen,
          "an answer of the outsider's own",
          `it is the seller's original answer with invoice ${invoice.id}`,
          [answer],
        );
    }
  }),

  check('IDEM-08.no-request-id', ['connection'], async (lab) => {
    const first = await freshInvoice(lab);
    const answer = await postInvoice(lab, first.body);
    expectAccepted(lab, answer, 'a second creation without requestId, equal to the first');
    const second = await invoiceOf(lab, first.body, answer);
    expectThat(lab, second.id !== first.id, answer, 'a second invoice', `it is invoice ${first.id} again`);
  }),
];

async function submitted(lab: Lab) {
  if (!(await actionWorks(lab, 'submit'))) notApplicable('no invoice is ever a DRAFT');
  const invoice = await reach(lab, 'DRAFT');
  const extra = { as: lab.who(partyFor(lab, 'submit')), requestId: lab.requestId() };
  const first = await act(lab, 'submit', invoice.id, extra);
  expectAccepted(lab, first, 'a submission with a requestId');
  await lookUntil(lab, invoice.id, (found) => found?.status !== 'DRAFT');
  keepTrack(lab, { id: invoice.id, state: 'SUBMITTED' });
  return { invoice, first, again: (replaying: Lab) => act(replaying, 'submit', invoice.id, extra) };
}

const earlySubmission = (lab: Lab) => lab.run.once('early submission', () => submitted(lab));

const replayedSubmission = [
  check('IDEM-03.answer', ['connection', 'submit'], async (lab) => {
    const { first, again } = await earlySubmission(lab);
    expectOriginal(lab, first, await again(lab));
  }),

  checkIn('late', 'IDEM-03.late', ['connection', 'submit'], async (lab) => {
    const { first, again } = await earlySubmission(lab);
    expectOriginal(lab, first, await again(lab));
  }),

  checkIn('late', 'IDEM-03.after-move', ['connection', 'submit', 'approve'], async (lab) => {
    const { invoice, first, again } = await submitted(lab);
    const approved = await perform(lab, 'approve', invoice.id);
    if (!accepted(approved)) notApplicable('approve is refused; LIFE-01 judges that');
    await lookUntil(lab, invoice.id, (found) => found?.status === 'APPROVED');
    keepTrack(lab, { id: invoice.id, state: 'APPROVED' });
    expectOriginal(lab, first, await again(lab));
    const { record, answer } = await look(lab, invoice.id);
    expectThat(
      lab,
      record?.status === 'APPROVED',
      answer,
      'APPROVED, as before the replay',
      `it is ${String(record?.status)}`,
    );
  }),

  checkIn('late', 'IDEM-03.after-cancel', ['connection', 'submit', 'cancel'], async (lab) => {
    const { invoice, first, again } = await submitted(lab);
    const cancelled = await perform(lab, 'cancel', invoice.id);
    if (!accepted(cancelled)) notApplicable('cancel is refused; LIFE-01 judges that');
    const { record: before } = await lookUntil(lab, invoice.id, (found) => found?.status !== 'SUBMITTED');
    keepTrack(lab, { id: invoice.id, state: 'CANCELLED' });
    expectOriginal(lab, first, await again(lab));
    const { record, answer } = await look(lab, invoice.id);
    const because = `it is ${String(record?.status)}`;
    expectThat(lab, record?.status === before?.status, answer, `${String(before?.status)}, as before`, because);
  }),

  check('IDEM-08.submit-no-request-id', ['connection', 'submit'], async (lab) => {
    const invoice = await reach(lab, 'DRAFT');
    const first = await perform(lab, 'submit', invoice.id);
    if (!accepted(first)) notApplicable('submit is refused; LIFE-01 judges that');
    await lookUntil(lab, invoice.id, (found) => found?.status !== 'DRAFT');
    keepTrack(lab, { id: invoice.id, state: 'SUBMITTED' });
    const again = await act(lab, 'submit', invoice.id, { as: lab.who(partyFor(lab, 'submit')) });
    expectThat(
      lab,
      !accepted(again),
      again,
      'a refusal: the invoice is SUBMITTED already',
      'accepted, as if it were a replay',
    );
  }),
];

async function withdrawn(lab: Lab, amount: string) {
  const extra = { requestId: lab.requestId() };
  const first = await treasury(lab, 'treasuryWithdraw', extra, amount);
  if (!accepted(first)) {
    // The control: whether it is the requestId that is refused, or the withdrawal.
    const without = await treasury(lab, 'treasuryWithdraw', {}, amount);
    if (!accepted(without)) return notApplicable(`a withdrawal of ${amount} is refused: ${inWords(first)}`);
    throw breach(lab, first, 'a withdrawal accepted with a requestId as without', 'it is refused', [without]);
  }
  return { first, again: (replaying: Lab) => treasury(replaying, 'treasuryWithdraw', extra, amount) };
}

const earlyWithdrawal = (lab: Lab) => lab.run.once('early withdrawal', () => withdrawn(lab, '1.01'));

const only = (place: string, amounts: Map<string, number>) => new Map([...amounts].filter(([each]) => each === place));

function onlyNotApplicable(error: unknown): void {
  if ((error as Error).name !== 'NotApplicable') throw error;
}

const SETTLES_WITHIN_MS = 1500;

// What looks at the balance comes late: until then other checks settle invoices, which moves it, too.
const replayedTreasury = [
  check('IDEM-04.answer', ['seller', 'treasuryWithdraw'], async (lab) => {
    const { first, again } = await earlyWithdrawal(lab);
    expectOriginal(lab, first, await again(lab));
  }),

  checkIn('late', 'IDEM-04.late', ['seller', 'treasuryWithdraw'], async (lab) => {
    const { first, again } = await earlyWithdrawal(lab);
    expectOriginal(lab, first, await again(lab));
  }),

  checkIn('late', 'IDEM-06.withdraw-alike', ['seller', 'treasuryWithdraw'], (lab) =>
    lab.run.quiet.quiet(async () => {
      const requestId = lab.requestId();
      const pairs = [
        [`${requestId}-abc`, `${requestId}-ABC`],
        [`${requestId.padEnd(35, '-')}1`, `${requestId.padEnd(35, '-')}2`],
      ] as const;
      for (const [one, two] of pairs) {
        const first = await treasury(lab, 'treasuryWithdraw', { requestId: one }, '1.05');
        if (!accepted(first)) notApplicable(`a withdrawal is refused: ${inWords(first)}`);
        // Only an answer that tells the sum tells one withdrawal from another.
        if (!first.text.includes('1.05')) notApplicable('the answer does not tell the sum that was withdrawn');
        const second = await treasury(lab, 'treasuryWithdraw', { requestId: two }, '1.07');
        const because = `it is the answer to requestId ${one}`;
        expectThat(
          lab,
          !isDeepStrictEqual(first.json, second.json),
          second,
          `a withdrawal of its own for ${two}`,
          because,
        );
      }
    }),
  ),

  checkIn('late', 'IDEM-04.one-effect', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    lab.run.quiet.quiet(async () => {
      const before = await treasury(lab, 'treasuryBalance');
      lab.observe('treasury-balance-answer', before.status);
      const { again } = await withdrawn(lab, '1.37');
      const started = performance.now();
      const first = await placeLoweredBy(lab, amountsOf(before), 137, SETTLES_WITHIN_MS);
      if (!first) notApplicable('the balance does not show withdrawals');
      const took = performance.now() - started;
      await again(lab);
      const second = await placeLoweredBy(
        lab,
        only(first.place, amountsOf(first.answer)),
        137,
        Math.min(2 * took + 100, SETTLES_WITHIN_MS),
      );
      if (second)
        throw breach(
          lab,
          second.answer,
          'a balance lowered once',
          `${second.place} fell by 1.37 again with the replay`,
          [first.answer],
        );
    }),
  ),

  checkIn('late', 'IDEM-04.other-amount', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    lab.run.quiet.quiet(async () => {
      const requestId = lab.requestId();
      const first = await treasury(lab, 'treasuryWithdraw', { requestId }, '1.11');
      if (!accepted(first)) notApplicable(`a withdrawal of 1.11 is refused: ${inWords(first)}`);
      const before = await treasury(lab, 'treasuryBalance');
      const other = await treasury(lab, 'treasuryWithdraw', { requestId }, '1.73');
      const fell = await placeLoweredBy(lab, amountsOf(before), 173, SETTLES_WITHIN_MS / 3);
      const because = `${fell?.place} fell by 1.73, the sum of a repeated requestId`;
      if (fell) throw breach(lab, other, 'no withdrawal of a repeated requestId', because, [first, fell.answer]);
    }),
  ),

  checkIn('late', 'IDEM-04.simultaneous', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    lab.run.quiet.quiet(async () => {
      const before = amountsOf(await treasury(lab, 'treasuryBalance'));
      const answers = await withdrawTogether(lab, lab.requestId(), '1.41', VOLLEY);
      const first = answers.find(accepted);
      if (!first) return notApplicable(`a withdrawal of 1.41 is refused: ${inWords(answers[0] as Answer)}`);
      const fell = await placeLoweredBy(lab, before, 141, SETTLES_WITHIN_MS, { least: 1, most: VOLLEY });
      if (!fell) return notApplicable('the balance does not show withdrawals');
      // The others may land after the first.
      const again = () =>
        placeLoweredBy(lab, only(fell.place, before), 141, SETTLES_WITHIN_MS / 5, { least: 2, most: VOLLEY });
      const more = fell.times > 1 ? fell : await again();
      const because = `${VOLLEY} withdrawals of 1.41 with one requestId at the same moment lowered ${more?.place} more than once`;
      if (more) throw breach(lab, more.answer, 'a balance lowered once, by 1.41', because, [first]);
    }),
  ),

  checkIn('late', 'IDEM-05.answer', ['seller', 'treasuryBalance'], (lab) =>
    lab.run.quiet.quiet(async () => {
      const { method, path } = binding(lab, 'treasuryBalance');
      if (method === 'GET' && !path.includes('{requestId}')) {
        notApplicable('the balance is a GET here: it takes no body and so no requestId');
      }
      const extra = { requestId: lab.requestId() };
      const first = await treasury(lab, 'treasuryBalance', extra);
      expectAccepted(lab, first, 'a balance request with a requestId');
      // A balance that has moved meanwhile tells a replay from a fresh answer.
      if (lab.target.operations.treasuryWithdraw) await withdrawn(lab, '1.09').catch(onlyNotApplicable);
      expectOriginal(lab, first, await treasury(lab, 'treasuryBalance', extra));
    }),
  ),
];

export const idempotency: readonly Check[] = [
  ...replayedCreation,
  ...separateRequests,
  ...replayedSubmission,
  ...replayedTreasury,
];

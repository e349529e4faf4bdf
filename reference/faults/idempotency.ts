import { setTimeout as pause } from 'node:timers/promises';
import { type RuleChange, replaced } from '../overrides/override-rules.ts';
import { addFunds } from '../rules/money/funds.ts';
import type { Call } from '../service/call.ts';
import type { Withdrawal } from '../service/inputs.ts';
import { DEFAULT_CURRENCY, toCents } from '../service/money.ts';
import { refusals } from '../service/refusal.ts';
import type { Answer, Invoice, Status, Store } from '../service/store.ts';
import type { Fault } from './fault.ts';

/** As short as a look into a cache near by. */
const RACE_MS = 2;

/** Changes what a replay gets; the original answer stays as it is. */
function replaying(route: string, change: (answer: Answer, call: Call) => Answer): RuleChange {
  return replaced((honest) => ({
    replay: async (call, key, perform) => {
      let original = false;
      const answer = await honest.replay(call, key, () => {
        original = true;
        return perform();
      });
      return original || call.route.name !== route ? answer : change(answer, call);
    },
  }));
}

/** A creation is answered with links beside the invoice, and its replay with what is made of that body. */
function withLinks(replayed: (body: { invoice: unknown }) => object): RuleChange {
  return (honest) => {
    const wrapped = replaced(() => ({
      renderCreated: ({ rules }, invoice) => ({
        status: 201,
        body: { invoice: rules.renderInvoice(invoice), links: { self: `/api/v1/invoices/${invoice.id}` } },
      }),
    }))(honest);
    return replaying('create', (answer) => ({ ...answer, body: replayed(answer.body as { invoice: unknown }) }))(
      wrapped,
    );
  };
}

/** The invoice is touched before the original answer to its creation comes back. */
function onReplay(touch: (invoice: Invoice, call: Call) => void): RuleChange {
  return replaced((honest) => {
    const made = new Map<string, Invoice>();
    return {
      issue: (call, input, invoiceNumber) => {
        const invoice = honest.issue(call, input, invoiceNumber);
        if (input.requestId) made.set(`${call.organizationId} ${input.requestId}`, invoice);
        return invoice;
      },
      replayKey: (call, requestId, subject) => {
        const invoice = call.route.name === 'create' ? made.get(`${call.organizationId} ${requestId}`) : undefined;
        if (invoice) touch(invoice, call);
        return honest.replayKey(call, requestId, subject);
      },
    };
  });
}

/** Another key for the same requestId, on one operation. */
function keyed(
  route: string,
  key: (requestId: string | undefined, call: Call, subject?: string) => string | undefined,
): RuleChange {
  return replaced((honest) => ({
    replayKey: (call, requestId, subject) =>
      call.route.name === route
        ? honest.replayKey(call, key(requestId, call, subject), subject)
        : honest.replayKey(call, requestId, subject),
  }));
}

/** What was refused once is refused again to the same requestId, whatever it asks for then. */
function remembering<Rest extends unknown[], Result>(
  rule: (call: Call, ...rest: Rest) => Result,
): (call: Call, ...rest: Rest) => Result {
  const refused = new Map<unknown, unknown>();
  return (call, ...rest) => {
    const { requestId } = call.body;
    if (requestId !== undefined && refused.has(requestId)) throw refused.get(requestId);
    try {
      return rule(call, ...rest);
    } catch (refusal) {
      refused.set(requestId, refusal);
      throw refusal;
    }
  };
}

/** Who names the environment asks for something new. */
function withEnvironment(requestId: string | undefined, { request }: Call): string | undefined {
  return requestId && `${requestId} ${request.headers.get('X-Environment')}`;
}

/** What was answered is found by the requestId alone, before anything else is asked. */
function ofAnybody(route: string): RuleChange {
  return replaced((honest) => {
    const answers = new Map<string, Answer>();
    return {
      replay: async (call, key, perform) => {
        if (call.route.name !== route || key === undefined) return honest.replay(call, key, perform);
        const requestId = String(call.body.requestId);
        const answer = answers.get(requestId) ?? (await honest.replay(call, key, perform));
        answers.set(requestId, answer);
        return answer;
      },
    };
  });
}

/** The answer is remembered, and the work is done all the same. */
function doneAgain(route: string): RuleChange {
  return replaced((honest) => ({
    replay: async (call, key, perform) => {
      if (call.route.name !== route || key === undefined) return honest.replay(call, key, perform);
      const stored = call.world.replays.get(key);
      if (stored) await Promise.resolve(perform()).catch(() => undefined);
      return honest.replay(call, key, perform);
    },
  }));
}

/** The record of a requestId is dropped after some milliseconds. */
function expiring(route: string, afterMs: number): RuleChange {
  return replaced((honest) => {
    const at = new Map<string, number>();
    return {
      replay: async (call, key, perform) => {
        if (key !== undefined && call.route.name === route) {
          const first = at.get(key) ?? performance.now();
          at.set(key, first);
          if (performance.now() - first > afterMs) call.world.replays.delete(key);
        }
        return honest.replay(call, key, perform);
      },
    };
  });
}

/** Changes what a replay gets once the invoice of the original answer is in a state. */
function replayingIn(status: Status, route: string, change: (answer: Answer, call: Call) => Answer): RuleChange {
  return replaying(route, (answer, call) => {
    const invoice = call.world.invoices.get((answer.body as { id: string }).id);
    return invoice?.status === status ? change(answer, call) : answer;
  });
}

/** The invoice of an answer as it is now. */
function current(answer: Answer, { world, rules }: Call): Answer {
  const invoice = world.invoices.get((answer.body as { id: string }).id);
  return invoice ? { ...answer, body: rules.renderInvoice(invoice) } : answer;
}

/** The sum of a withdrawal is on the balance again. */
function giveBack({ world, organizationId, body }: Call): void {
  addFunds(world, organizationId, DEFAULT_CURRENCY, toCents(String(body.amount)));
}

/** Simultaneous withdrawals of one requestId are all made; `second` is what becomes of each but the first. */
const racingWithdrawals = (second: (call: Call) => void): RuleChange =>
  replaced((honest) => ({
    replay: async (call, key, perform) => {
      if (call.route.name !== 'withdraw' || key === undefined) return honest.replay(call, key, perform);
      const { world, organizationId } = call;
      const stored = world.replays.get(key);
      if (stored) return stored.answer;
      await pause(RACE_MS);
      const answer = await perform();
      if (world.replays.has(key)) second(call);
      else if (answer.status < 400) world.replays.set(key, { organizationId, answer });
      return answer;
    },
  }));

const EXPIRES_MS = 250;
const LATE_MS = 300;

const creations: readonly Fault[] = [
  {
    id: 'idem-replay-200',
    requirement: 'IDEM-01',
    sentence: 'A replayed creation is answered with 200, because nothing was created.',
    caughtBy: ['IDEM-01.status'],
    rules: replaying('create', (answer) => ({ ...answer, status: 200 })),
  },
  {
    id: 'idem-hash-of-text',
    requirement: 'IDEM-01',
    sentence: 'A requestId counts with the text of its body: the same written otherwise is another request.',
    caughtBy: ['IDEM-01.all-fields'],
    alongside: ['IDEM-09.other-body', 'IDEM-09.other-currency', 'IDEM-02.unchanged'],
    rules: keyed('create', (requestId, { request }) => requestId && `${requestId} ${request.text}`),
  },
  {
    id: 'idem-replay-made-later',
    requirement: 'IDEM-02',
    sentence: 'A replay is answered from the store, and put on the queue of creations all the same.',
    caughtBy: ['IDEM-02.late-duplicate'],
    wholeRun: true,
    rules: replaced((honest) => ({
      replay: async (call, key, perform) => {
        const stored = key !== undefined && call.route.name === 'create' && call.world.replays.has(key);
        if (stored) setTimeout(() => void Promise.resolve(perform()).catch(() => undefined), LATE_MS).unref();
        return honest.replay(call, key, perform);
      },
    })),
  },
  {
    id: 'idem-replay-conflict',
    requirement: 'IDEM-01',
    sentence: 'A repeated requestId is a unique-key violation: 409.',
    caughtBy: ['IDEM-01.status', 'IDEM-01.invoice', 'IDEM-01.uuid'],
    rules: replaying('create', () => ({ status: 409, body: { error: 'Duplicate requestId', code: 'REQ409' } })),
  },
  {
    id: 'idem-replay-fresh-timestamp',
    requirement: 'IDEM-01',
    sentence: 'The replayed invoice is rendered anew, with the time of the replay.',
    caughtBy: ['IDEM-01.invoice'],
    rules: replaying('create', (answer) => ({
      ...answer,
      body: { ...(answer.body as object), createdAt: new Date(Date.now() + 1000).toISOString() },
    })),
  },
  {
    id: 'idem-replay-current-state',
    requirement: 'IDEM-01',
    sentence: 'A replay looks the invoice up and answers with what it has become.',
    caughtBy: ['IDEM-01.after-transition'],
    rules: replaying('create', current),
  },
  {
    id: 'idem-replay-after-dispute',
    requirement: 'IDEM-01',
    sentence: 'A dispute touches the record of the creation, and a replay gets the invoice as it is now.',
    caughtBy: ['IDEM-01.after-dispute'],
    rules: replayingIn('DISPUTED', 'create', current),
  },
  {
    id: 'idem-whole-body-unheeded',
    requirement: 'IDEM-02',
    sentence: 'The requestId is read by the mapper of the short form only, the one without currency.',
    caughtBy: ['IDEM-02.all-fields'],
    rules: keyed('create', (requestId, { body }) => (body.currency === undefined ? requestId : undefined)),
  },
  {
    id: 'idem-by-currency',
    requirement: 'IDEM-09',
    sentence: 'Creations of each currency lie in a table of their own, and so do their requestIds.',
    caughtBy: ['IDEM-09.other-currency'],
    rules: keyed('create', (requestId, { body }) => requestId && `${requestId} ${String(body.currency)}`),
  },
  {
    id: 'idem-slugs',
    requirement: 'IDEM-06',
    sentence: 'The requestId becomes part of a key whose words are joined by hyphens.',
    caughtBy: ['IDEM-06.similar-request-ids'],
    rules: keyed('create', (requestId) => requestId?.replaceAll('_', '-')),
  },
  {
    id: 'idem-submit-one-request-id-per-invoice',
    requirement: 'IDEM-03',
    sentence: 'An invoice has room for one requestId: whose creation had one is refused a submission with another.',
    caughtBy: ['IDEM-03.original-response'],
    rules: replaced((honest) => {
      const taken = new Set<string>();
      return {
        issue: (call, input, invoiceNumber) => {
          const invoice = honest.issue(call, input, invoiceNumber);
          if (input.requestId) taken.add(invoice.id);
          return invoice;
        },
        replayKey: (call, requestId, subject) => {
          const another = call.route.name === 'submit' && requestId && taken.has(call.request.params.id ?? '');
          if (another) throw refusals.actionNotAllowed();
          return honest.replayKey(call, requestId, subject);
        },
      };
    }),
  },
  {
    id: 'idem-submit-by-header',
    requirement: 'IDEM-03',
    sentence: 'The headers are part of what is remembered: who names the environment asks for something new.',
    caughtBy: ['IDEM-03.environment'],
    rules: keyed('submit', withEnvironment),
  },
  {
    id: 'idem-small-withdrawal-forgotten',
    requirement: 'IDEM-04',
    sentence: 'Below one unit a withdrawal is petty cash, of which no requestId is kept.',
    caughtBy: ['IDEM-04.original-response'],
    rules: keyed('withdraw', (requestId, { body }) => (Number(body.amount) < 1 ? undefined : requestId)),
  },
  {
    id: 'idem-large-withdrawal-forgotten',
    requirement: 'IDEM-04',
    sentence: 'From a thousand on a withdrawal waits for an approval, of which no requestId is kept.',
    caughtBy: ['IDEM-04.large'],
    rules: keyed('withdraw', (requestId, { body }) => (Number(body.amount) >= 1000 ? undefined : requestId)),
  },
  {
    id: 'idem-withdrawal-by-header',
    requirement: 'IDEM-04',
    sentence: 'The headers are part of what is remembered of a withdrawal.',
    caughtBy: ['IDEM-04.original-response'],
    rules: keyed('withdraw', withEnvironment),
  },
  {
    id: 'idem-balance-by-header',
    requirement: 'IDEM-05',
    sentence: 'The headers are part of what is remembered of a balance.',
    caughtBy: ['IDEM-05.original-response'],
    rules: keyed('balance', withEnvironment),
  },
  {
    id: 'idem-balance-by-header-and-nothing-is-withdrawn',
    requirement: 'IDEM-05',
    sentence: 'As the one before, where only payments move the balance.',
    caughtBy: ['IDEM-05.original-response'],
    rules: (honest) => ({
      ...keyed('balance', withEnvironment)(honest),
      withdraw: () => {
        throw refusals.notEnoughFunds();
      },
    }),
  },
  {
    id: 'idem-submit-of-anybody',
    requirement: 'IDEM-07',
    sentence: 'Submissions are remembered by requestId alone, and looked up before the invoice is.',
    caughtBy: ['IDEM-07.submission'],
    rules: ofAnybody('submit'),
  },
  {
    id: 'idem-balance-of-anybody',
    requirement: 'IDEM-07',
    sentence: 'Balances are remembered by requestId alone.',
    caughtBy: ['IDEM-07.balance'],
    rules: ofAnybody('balance'),
  },
  {
    id: 'idem-replay-expires',
    requirement: 'IDEM-01',
    sentence: 'The cache of requestIds expires after a moment, and a late replay creates a second invoice.',
    caughtBy: ['IDEM-01.late'],
    alongside: ['IDEM-01.status', 'HOOK-05.third-organization'],
    rules: expiring('create', EXPIRES_MS),
  },
  {
    id: 'idem-forgotten-with-its-draft',
    requirement: 'IDEM-01',
    sentence: 'Deleting a draft deletes the record of its requestId by cascade, and a replay creates it anew.',
    caughtBy: ['IDEM-01.after-delete'],
    rules: replaced((honest) => ({
      change: (call, invoice, next, input) => {
        honest.change(call, invoice, next, input);
        if (next !== 'DELETED') return;
        for (const [key, { answer }] of call.world.replays) {
          if ((answer.body as { id?: string } | undefined)?.id === invoice.id) call.world.replays.delete(key);
        }
      },
    })),
  },
  {
    id: 'idem-replay-brings-draft-back',
    requirement: 'IDEM-01',
    sentence: 'The replay saves the stored invoice once more, and with it a draft that was deleted.',
    caughtBy: ['IDEM-01.after-delete'],
    rules: replaced((honest) => {
      const deleted = new Map<string, Invoice>();
      return {
        change: (call, invoice, next, input) => {
          honest.change(call, invoice, next, input);
          if (next === 'DELETED') deleted.set(invoice.id, { ...invoice, status: 'DRAFT' });
        },
        replay: async (call, key, perform) => {
          const answer = await honest.replay(call, key, perform);
          const back = call.route.name === 'create' && deleted.get((answer.body as { id?: string }).id ?? '');
          if (back) call.world.invoices.set(back.id, back);
          return answer;
        },
      };
    }),
  },
  {
    id: 'idem-dropped-by-others',
    requirement: 'IDEM-07',
    sentence: 'A creation that is refused drops the record of its requestId, whoever has made it.',
    caughtBy: ['IDEM-07.other-organization'],
    rules: replaced((honest) => ({
      connect: (call, input) => {
        try {
          return honest.connect(call, input);
        } catch (refusal) {
          const { requestId } = input;
          for (const key of call.world.replays.keys())
            if (requestId && key.includes(requestId)) call.world.replays.delete(key);
          throw refusal;
        }
      },
    })),
  },
  {
    id: 'idem-capitals-not-found',
    requirement: 'IDEM-01',
    sentence: 'A requestId is stored in small letters and looked up as it comes: UUIDs in capitals are never found.',
    caughtBy: ['IDEM-01.uuid'],
    rules: keyed('create', (requestId) =>
      requestId && /[A-F]{2}/.test(requestId) && !/[a-z]/.test(requestId) ? undefined : requestId,
    ),
  },
  {
    id: 'idem-large-forgotten',
    requirement: 'IDEM-01',
    sentence: 'From 10,000 on an invoice goes through the queue of the reviewers, which keeps no requestId.',
    caughtBy: ['IDEM-01.amounts'],
    rules: keyed('create', (requestId, { body }) => (Number(body.amount) >= 10_000 ? undefined : requestId)),
  },
  {
    id: 'idem-replay-in-other-wrapper',
    requirement: 'IDEM-01',
    sentence: 'A replay comes from another serializer, which puts the invoice into a wrapper.',
    caughtBy: ['IDEM-01.invoice'],
    rules: replaying('create', (answer) => ({ ...answer, body: { invoice: answer.body } })),
  },
  {
    id: 'idem-replay-submits-draft',
    requirement: 'IDEM-02',
    sentence: 'Who creates again wants it sent: a replay submits the draft.',
    caughtBy: ['IDEM-02.unchanged'],
    rules: onReplay((invoice) => {
      if (invoice.status === 'DRAFT') invoice.status = 'SUBMITTED';
    }),
  },
  {
    id: 'idem-uuid-not-remembered',
    requirement: 'IDEM-01',
    sentence: 'A requestId that is a UUID is taken for the trace id of the gateway, and not remembered.',
    caughtBy: ['IDEM-01.uuid'],
    rules: keyed('create', (requestId) =>
      /^[0-9a-f]{8}-([0-9a-f]{4}-){3}/.test(requestId ?? '') ? undefined : requestId,
    ),
  },
  {
    id: 'idem-replay-creates-again',
    requirement: 'IDEM-02',
    sentence: 'The replay returns the original answer, and the job behind it runs again.',
    caughtBy: ['IDEM-02.one-invoice'],
    rules: doneAgain('create'),
  },
  {
    id: 'idem-race',
    requirement: 'IDEM-02',
    sentence:
      'Between the check for the requestId and its insertion lies an await: simultaneous creations all get through.',
    caughtBy: ['IDEM-02.simultaneous', 'IDEM-04.simultaneous'],
    rules: replaced(() => ({
      replay: async ({ world, organizationId }, key, perform) => {
        const stored = key === undefined ? undefined : world.replays.get(key);
        if (stored) return stored.answer;
        if (key !== undefined) await pause(RACE_MS);
        const answer = await perform();
        if (key !== undefined && answer.status < 400) world.replays.set(key, { organizationId, answer });
        return answer;
      },
    })),
  },
  {
    id: 'idem-withdraw-race',
    requirement: 'IDEM-04',
    sentence: 'A withdrawal looks for its requestId, asks the bank, and then notes it: simultaneous ones are all paid.',
    caughtBy: ['IDEM-04.simultaneous'],
    rules: racingWithdrawals(() => {}),
  },
  {
    id: 'idem-withdraw-race-with-lost-updates',
    requirement: 'IDEM-04',
    sentence: 'Simultaneous withdrawals of one requestId are all made, and all write the same new balance.',
    caughtBy: ['IDEM-04.simultaneous'],
    rules: racingWithdrawals(giveBack),
  },
  {
    id: 'idem-withdraw-replay-gives-back',
    requirement: 'IDEM-04',
    sentence: 'A withdrawal that is there already is taken for one that has failed: its replay gives the sum back.',
    caughtBy: ['IDEM-04.one-effect'],
    rules: replaying('withdraw', (answer, call) => {
      giveBack(call);
      return answer;
    }),
  },
  {
    id: 'idem-withdraw-key-with-amount',
    requirement: 'IDEM-04',
    sentence: 'The key of a withdrawal holds its amount: the same requestId with another one pays again.',
    caughtBy: ['IDEM-04.other-amount'],
    rules: keyed('withdraw', (requestId, { body }) => (requestId === undefined ? undefined : JSON.stringify(body))),
  },
  {
    id: 'idem-submit-revives',
    requirement: 'IDEM-03',
    sentence: 'A replayed submission writes the state of the original again, and revives what was cancelled since.',
    caughtBy: ['IDEM-03.after-cancel'],
    rules: replaying('submit', (answer, { world, request }) => {
      const invoice = world.invoices.get(request.params.id ?? '');
      if (invoice?.status === 'CANCELLED') invoice.status = 'SUBMITTED';
      return answer;
    }),
  },
  {
    id: 'idem-long-not-kept',
    requirement: 'IDEM-01',
    sentence: 'A requestId that does not fit into its column is not kept, and so never found again.',
    caughtBy: ['IDEM-01.long-request-id'],
    rules: keyed('create', (requestId) => (requestId && requestId.length > 64 ? undefined : requestId)),
  },
  {
    id: 'idem-cut-at-64',
    requirement: 'IDEM-06',
    sentence: 'The column of requestIds cuts them after 64 characters.',
    caughtBy: ['IDEM-06.very-long'],
    rules: keyed('create', (requestId) => requestId?.slice(0, 64)),
  },
  {
    id: 'idem-trimmed',
    requirement: 'IDEM-13',
    sentence: 'requestIds are trimmed.',
    caughtBy: ['IDEM-13.trailing-space'],
    rules: keyed('create', (requestId) => requestId?.trim()),
  },
  {
    id: 'idem-not-implemented',
    requirement: 'IDEM-01',
    sentence: 'requestId is accepted and ignored.',
    caughtBy: ['IDEM-01.invoice'],
    rules: keyed('create', () => undefined),
  },
  {
    id: 'idem-key-with-body',
    requirement: 'IDEM-09',
    sentence: 'The key is a hash of requestId and body: another amount creates another invoice.',
    caughtBy: ['IDEM-09.other-body'],
    rules: keyed('create', (requestId, { body }) => (requestId === undefined ? undefined : JSON.stringify(body))),
  },
  {
    id: 'idem-replay-without-links',
    requirement: 'IDEM-01',
    sentence: 'The original answer has links beside the invoice; the replay brings the invoice alone.',
    caughtBy: ['IDEM-01.invoice'],
    rules: withLinks(({ invoice }) => ({ invoice })),
  },
  {
    id: 'idem-replay-with-empty-links',
    requirement: 'IDEM-10',
    sentence: 'The original answer has links beside the invoice; those of the replay are empty.',
    caughtBy: ['IDEM-10.whole-body'],
    rules: withLinks(({ invoice }) => ({ invoice, links: {} })),
  },
  {
    id: 'idem-refusal-remembered',
    requirement: 'IDEM-12',
    sentence: 'A requestId is used up by a refusal, and the corrected request is a conflict.',
    caughtBy: ['IDEM-12.after-rejection'],
    rules: replaced((honest) => {
      const used = new Set<unknown>();
      return {
        validateCreate: (call) => {
          const { requestId } = call.body;
          if (requestId !== undefined && used.has(requestId)) throw refusals.actionConflict();
          try {
            return honest.validateCreate(call);
          } catch (refusal) {
            used.add(requestId);
            throw refusal;
          }
        },
      };
    }),
  },
  {
    id: 'idem-long-answers-not-kept',
    requirement: 'IDEM-01',
    sentence:
      'The column for answers takes a thousand characters; one that does not fit is not kept, and the request is carried out again.',
    caughtBy: ['IDEM-01.long-description'],
    rules: replaced((honest) => {
      const lost = new Set<string>();
      return {
        replay: async (call, key, perform) => {
          if (key !== undefined && lost.has(key)) return perform();
          const answer = await honest.replay(call, key, perform);
          if (key !== undefined && JSON.stringify(answer.body ?? null).length > 1000) lost.add(key);
          return answer;
        },
      };
    }),
  },
  {
    id: 'idem-withdrawals-alike-are-one',
    requirement: 'IDEM-08',
    sentence: 'A withdrawal like the last one is taken for a double click, and answered as if it were made.',
    caughtBy: ['IDEM-08.withdraw-no-request-id'],
    rules: replaced((honest) => {
      const last = new Map<string, { amount: string; made: Withdrawal }>();
      return {
        withdraw: (call, input) => {
          const before = last.get(call.organizationId);
          if (before?.amount === input.amount && call.body.requestId === undefined) return before.made;
          const made = honest.withdraw(call, input);
          last.set(call.organizationId, { amount: input.amount, made });
          return made;
        },
      };
    }),
  },
  {
    id: 'idem-refused-connection-remembered',
    requirement: 'IDEM-12',
    sentence:
      'What the service of connections refuses is stored like what succeeds, and comes back for the corrected request.',
    caughtBy: ['IDEM-12.unconnected'],
    rules: replaced((honest) => ({ connect: remembering(honest.connect) })),
  },
  {
    id: 'idem-refused-submission-remembered',
    requirement: 'IDEM-12',
    sentence: 'A requestId is used up by a submission that was refused, also for another invoice.',
    caughtBy: ['IDEM-12.submission'],
    rules: replaced((honest) => ({ transition: remembering(honest.transition) })),
  },
  {
    id: 'idem-refused-withdrawal-remembered',
    requirement: 'IDEM-12',
    sentence: 'That funds were missing is stored like a success, and told again when less is asked for.',
    caughtBy: ['IDEM-12.withdrawal'],
    rules: replaced((honest) => ({ withdraw: remembering(honest.withdraw) })),
  },
  {
    id: 'idem-forgotten-when-cancelled',
    requirement: 'IDEM-01',
    sentence:
      'Cancelling an invoice clears its requestId, so that it can be issued again: the replay makes a second one.',
    caughtBy: ['IDEM-01.after-cancel'],
    rules: replaced((honest) => ({
      change: (call, invoice, next, input) => {
        honest.change(call, invoice, next, input);
        if (next !== 'CANCELLED') return;
        for (const [key, { answer }] of call.world.replays) {
          const created = answer.body as { id?: string } | undefined;
          if (created?.id === invoice.id && key.includes('"create"')) call.world.replays.delete(key);
        }
      },
    })),
  },
  {
    id: 'idem-settled-as-it-is',
    requirement: 'IDEM-01',
    sentence: 'Settled invoices are replayed from the archive, as they are by now.',
    caughtBy: ['IDEM-01.after-settlement'],
    rules: replayingIn('SETTLED', 'create', current),
  },
];

/** The requestId alone names a submission, and not the invoice with it. */
function bySubmission(read: (requestId: string) => string): RuleChange {
  return replaced((honest) => ({
    replayKey: (call, requestId, subject) =>
      call.route.name === 'submit' && requestId !== undefined
        ? honest.replayKey(call, read(requestId))
        : honest.replayKey(call, requestId, subject),
  }));
}

const distinctions: readonly Fault[] = [
  {
    id: 'idem-case-insensitive',
    requirement: 'IDEM-06',
    sentence: 'requestIds are compared without regard to case: the collation of the column.',
    caughtBy: ['IDEM-06.letter-case'],
    rules: keyed('create', (requestId) => requestId?.toLowerCase()),
  },
  {
    id: 'idem-prefix',
    requirement: 'IDEM-06',
    sentence: 'requestIds are looked up by their beginning.',
    caughtBy: ['IDEM-06.longer'],
    rules: keyed('create', (requestId) => requestId?.replace(/0$/, '')),
  },
  {
    id: 'idem-column-too-short',
    requirement: 'IDEM-06',
    sentence: 'requestIds are cut to 32 characters, the length of a UUID without hyphens.',
    caughtBy: ['IDEM-06.last-character'],
    rules: keyed('create', (requestId) => requestId?.slice(0, 32)),
  },
  {
    id: 'idem-hexadecimal',
    requirement: 'IDEM-06',
    sentence: 'Letters beyond f are dropped when the requestId is parsed as a hexadecimal number.',
    caughtBy: ['IDEM-06.non-hex-letters'],
    rules: keyed('create', (requestId) => requestId?.replace(/[g-z]/g, '')),
  },
  {
    id: 'idem-punctuation-dropped',
    requirement: 'IDEM-06',
    sentence: 'Hyphens are stripped from requestIds, so that UUIDs compare in either form.',
    caughtBy: ['IDEM-06.punctuation'],
    rules: keyed('create', (requestId) => requestId?.replace(/(?<=[a-z])-(?=[a-z]$)/, '')),
  },
  {
    id: 'idem-ends-only',
    requirement: 'IDEM-06',
    sentence: 'Of a requestId the first 24 and the last 12 characters are kept.',
    caughtBy: ['IDEM-06.middle'],
    rules: keyed('create', (requestId) => requestId && `${requestId.slice(0, 24)}${requestId.slice(-12)}`),
  },
  {
    id: 'idem-as-number',
    requirement: 'IDEM-06',
    sentence: 'A requestId of digits alone is kept as a number.',
    caughtBy: ['IDEM-06.digits'],
    rules: keyed('create', (requestId) =>
      requestId && /^\d+$/.test(requestId) ? String(Number(requestId)) : requestId,
    ),
  },
  {
    id: 'idem-url-decoded',
    requirement: 'IDEM-06',
    sentence: 'A requestId is decoded as if it stood in a query.',
    caughtBy: ['IDEM-06.similar-request-ids'],
    rules: keyed('create', (requestId) => requestId?.replaceAll('+', ' ')),
  },
  {
    id: 'idem-submit-case-insensitive',
    requirement: 'IDEM-06',
    sentence: 'requestIds of submissions are compared without regard to case, whatever invoice they name.',
    caughtBy: ['IDEM-06.submit-letter-case'],
    rules: bySubmission((requestId) => requestId.toLowerCase()),
  },
  {
    id: 'idem-submit-column-too-short',
    requirement: 'IDEM-06',
    sentence: 'requestIds of submissions are cut to 32 characters, whatever invoice they name.',
    caughtBy: ['IDEM-06.submit-last-character', 'IDEM-06.submit-very-long'],
    rules: bySubmission((requestId) => requestId.slice(0, 32)),
  },
  {
    id: 'idem-submit-column-of-64',
    requirement: 'IDEM-06',
    sentence: 'requestIds of submissions are cut to 64 characters, whatever invoice they name.',
    caughtBy: ['IDEM-06.submit-very-long'],
    rules: bySubmission((requestId) => requestId.slice(0, 64)),
  },
  {
    id: 'idem-withdrawal-case-insensitive',
    requirement: 'IDEM-06',
    sentence: 'requestIds of withdrawals are compared without regard to case: one of two is not paid.',
    caughtBy: ['IDEM-06.withdraw-similar'],
    rules: keyed('withdraw', (requestId) => requestId?.toLowerCase()),
  },
  {
    id: 'idem-withdrawal-column-too-short',
    requirement: 'IDEM-06',
    sentence: 'requestIds of withdrawals are cut to 32 characters.',
    caughtBy: ['IDEM-06.withdraw-similar'],
    rules: keyed('withdraw', (requestId) => requestId?.slice(0, 32)),
  },
  {
    id: 'idem-shared-by-organizations',
    requirement: 'IDEM-07',
    sentence: 'The cache of requestIds is keyed without the organization.',
    caughtBy: ['IDEM-07.other-organization'],
    rules: replaced(() => ({
      replayKey: ({ environment, route }, requestId, subject) =>
        requestId === undefined ? undefined : JSON.stringify([environment, route.name, subject ?? null, requestId]),
    })),
  },
  {
    id: 'idem-equal-bodies',
    requirement: 'IDEM-08',
    sentence: 'Without a requestId a hash of the body takes its place: equal invoices are merged.',
    caughtBy: ['IDEM-08.no-request-id'],
    rules: keyed('create', (requestId, { body }) => requestId ?? JSON.stringify(body)),
  },
  {
    id: 'idem-submit-always',
    requirement: 'IDEM-08',
    sentence: 'A second submission is taken for a replay, with or without a requestId.',
    caughtBy: ['IDEM-08.submit-no-request-id', 'LIFE-02.submitted-submit'],
    rules: keyed('submit', (_requestId, _call, subject) => `submission of ${subject}`),
  },
  {
    id: 'idem-success-after-refusal-forgotten',
    requirement: 'IDEM-01',
    sentence: 'Who was refused once is known by the requestId: what succeeds in the end is not stored.',
    caughtBy: ['IDEM-01.after-rejection'],
    rules: replaced((honest) => {
      const refused = new WeakMap<Store, Set<string>>();
      return {
        validateCreate: (call) => {
          try {
            return honest.validateCreate(call);
          } catch (error) {
            const known = refused.get(call.store) ?? new Set();
            refused.set(call.store, known.add(String(call.body.requestId)));
            throw error;
          }
        },
        replayKey: (call, requestId, subject) =>
          requestId !== undefined && refused.get(call.store)?.has(requestId)
            ? undefined
            : honest.replayKey(call, requestId, subject),
      };
    }),
  },
  {
    id: 'idem-replay-renumbers',
    requirement: 'IDEM-02',
    sentence: 'The number is drawn before the requestId is looked up, and written to whatever invoice comes back.',
    caughtBy: ['IDEM-02.unchanged'],
    rules: onReplay((invoice) => {
      invoice.invoiceNumber = `${invoice.invoiceNumber}0`;
    }),
  },
  {
    id: 'idem-replay-echoes-amount',
    requirement: 'IDEM-09',
    sentence:
      'The answer to a replay is built of the stored invoice and of the request: it says the amount of the latter.',
    caughtBy: ['IDEM-09.other-body'],
    rules: replaying('create', (answer, { body }) => ({
      ...answer,
      body: { ...(answer.body as object), amount: body.amount },
    })),
  },
  {
    id: 'idem-other-body-overwrites',
    requirement: 'IDEM-02',
    sentence:
      'A creation with a known requestId is an upsert: the original answer comes back, and the invoice is another.',
    caughtBy: ['IDEM-02.unchanged'],
    rules: onReplay((invoice, { body }) => {
      if (typeof body.amount === 'string') invoice.amount = body.amount;
    }),
  },
  {
    id: 'idem-withdrawal-shared-by-organizations',
    requirement: 'IDEM-07',
    sentence: 'The treasury keeps requestIds without the organization.',
    caughtBy: ['IDEM-07.withdrawal'],
    rules: replaced((honest) => ({
      replayKey: (call, requestId, subject) =>
        call.route.name === 'withdraw'
          ? requestId && JSON.stringify(['withdraw', requestId])
          : honest.replayKey(call, requestId, subject),
    })),
  },
];

const submissions: readonly Fault[] = [
  {
    id: 'idem-submit-not-implemented',
    requirement: 'IDEM-03',
    sentence: 'Submission accepts a requestId and ignores it: the replay is refused with 412.',
    caughtBy: ['IDEM-03.original-response', 'IDEM-03.late', 'IDEM-03.after-approval'],
    rules: keyed('submit', () => undefined),
  },
  {
    id: 'idem-submit-expires',
    requirement: 'IDEM-03',
    sentence: 'The record of a submission expires after a moment.',
    caughtBy: ['IDEM-03.late'],
    alongside: ['IDEM-03.original-response', 'HOOK-05.third-organization'],
    rules: expiring('submit', EXPIRES_MS),
  },
  {
    id: 'idem-submit-current-state',
    requirement: 'IDEM-03',
    sentence: 'A replayed submission answers with the invoice as it is by now.',
    caughtBy: ['IDEM-03.after-approval'],
    rules: replaying('submit', current),
  },
  {
    id: 'idem-submit-resets-state',
    requirement: 'IDEM-03',
    sentence: 'A replayed submission writes SUBMITTED again, and takes the approval back.',
    caughtBy: ['IDEM-03.after-approval'],
    rules: replaying('submit', (answer, { world }) => {
      const invoice = world.invoices.get((answer.body as { id: string }).id);
      if (invoice) invoice.status = 'SUBMITTED';
      return answer;
    }),
  },
  {
    id: 'idem-submit-disputed-as-it-is',
    requirement: 'IDEM-03',
    sentence: 'A replayed submission shows the dispute that came after it.',
    caughtBy: ['IDEM-03.after-dispute'],
    rules: replayingIn('DISPUTED', 'submit', current),
  },
  {
    id: 'idem-submit-resolved-refused',
    requirement: 'IDEM-03',
    sentence: 'A resolution begins a new round, which knows no submission yet: its replay is judged by the state.',
    caughtBy: ['IDEM-03.after-resolution'],
    rules: replaced((honest) => {
      const resolved = new Set<string>();
      return {
        change: (call, invoice, next, input) => {
          if (invoice.status === 'DISPUTED') resolved.add(invoice.id);
          honest.change(call, invoice, next, input);
        },
        replay: (call, key, perform) =>
          resolved.has(call.request.params.id ?? '')
            ? honest.replay(call, undefined, perform)
            : honest.replay(call, key, perform),
      };
    }),
  },
  {
    id: 'idem-submit-settled-refused',
    requirement: 'IDEM-03',
    sentence: 'What is settled is closed, for replays of its submission, too.',
    caughtBy: ['IDEM-03.after-settlement'],
    rules: replayingIn('SETTLED', 'submit', () => {
      throw refusals.actionNotAllowed();
    }),
  },
];

const treasury: readonly Fault[] = [
  {
    id: 'idem-withdrawal-new-id',
    requirement: 'IDEM-04',
    sentence: 'A replayed withdrawal moves nothing, and is answered with an id of its own.',
    caughtBy: ['IDEM-04.original-response'],
    rules: replaying('withdraw', (answer, { rules }) => ({
      ...answer,
      body: { ...(answer.body as object), id: rules.newId() },
    })),
  },
  {
    id: 'idem-withdrawal-twice',
    requirement: 'IDEM-04',
    sentence: 'A replayed withdrawal returns the original answer, and pays again.',
    caughtBy: ['IDEM-04.one-effect'],
    rules: doneAgain('withdraw'),
  },
  {
    id: 'idem-withdrawal-expires',
    requirement: 'IDEM-04',
    sentence: 'The record of a withdrawal expires after a moment, and the late replay pays again.',
    caughtBy: ['IDEM-04.late'],
    alongside: ['IDEM-04.original-response', 'HOOK-05.third-organization'],
    rules: expiring('withdraw', EXPIRES_MS),
  },
  {
    id: 'idem-withdrawal-refuses-request-id',
    requirement: 'IDEM-04',
    sentence: 'The schema of the withdrawal does not know requestId, and refuses it.',
    caughtBy: ['IDEM-04.original-response'],
    rules: replaced((honest) => ({
      validateWithdrawal: (call) => {
        if (call.body.requestId !== undefined) throw refusals.invalidRequest('requestId: unknown');
        return honest.validateWithdrawal(call);
      },
    })),
  },
  {
    id: 'idem-balance-not-replayed',
    requirement: 'IDEM-05',
    sentence: 'The balance ignores requestId and answers with a new time.',
    caughtBy: ['IDEM-05.original-response'],
    rules: (honest) =>
      keyed(
        'balance',
        () => undefined,
      )({
        ...honest,
        renderBalance: (call, cents) => {
          const answer = honest.renderBalance(call, cents);
          return { ...answer, body: { ...(answer.body as object), asOf: performance.now() } };
        },
      }),
  },
  {
    id: 'idem-balance-refuses-request-id',
    requirement: 'IDEM-05',
    sentence: 'The balance takes no body at all, and refuses a requestId.',
    caughtBy: ['IDEM-05.original-response'],
    rules: replaced((honest) => ({
      validateBalance: (call) => {
        if (call.body.requestId !== undefined) throw refusals.invalidRequest('no body expected');
        return honest.validateBalance(call);
      },
    })),
  },
];

export const idempotencyFaults: readonly Fault[] = [...creations, ...distinctions, ...submissions, ...treasury];

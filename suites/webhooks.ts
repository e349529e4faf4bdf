import { randomUUID } from 'node:crypto';
import { accepted } from '../helpers/api/response-status.ts';
import { breach, expectAccepted, expectRefused, expectThat } from '../helpers/assert/expect.ts';
import { blockedBy, expectPermitted, notApplicable } from '../helpers/assert/not-judged.ts';
import { pollUntil } from '../helpers/assert/poll.ts';
import { type Check, check, checkIn } from '../helpers/check.ts';
import type { Lab } from '../helpers/context/check-context.ts';
import { mentions } from '../helpers/data/id-mention.ts';
import { toBeSettled } from '../helpers/fixtures/spare-invoices.ts';
import { perform } from '../helpers/invoices/acting-party.ts';
import { bring, type Invoice, operationsTo, reach } from '../helpers/invoices/invoices.ts';
import { expectUnusualOnesHeard } from '../helpers/lifecycle/announced-variants.ts';
import {
  borrowingUnfunded,
  expectRefusedForFunds,
  unfundedInvoice,
} from '../helpers/treasury/settlements/insufficient-funds.ts';
import { isHeardOfLeftOver, nextSettlement } from '../helpers/webhooks/announced-settlement.ts';
import { BOOKING_KINDS, type Delivery, ofBooking, ofOtherBooking, summaryOf } from '../helpers/webhooks/deliveries.ts';
import { type Cause, expectUnannounced, expectUnheard } from '../helpers/webhooks/rejected-subscriptions.ts';
import {
  acceptedSubscription,
  deliveriesTo,
  elsewhere,
  expectReachable,
  isAnnounced,
  receiver,
  STRAGGLERS_MS,
  signingSecret,
  subscribe,
} from '../helpers/webhooks/subscriptions.ts';
import { expectNotAnnounced, type Subscribed, type Unsettled } from '../helpers/webhooks/unannounced-settlement.ts';
import { announcedWithinMs } from '../helpers/webhooks/watched-settlements.ts';
import type { CheckId } from '../specs/generated/ids.ts';

function refused(id: CheckId, ...all: Record<string, unknown>[]): Check {
  return check(id, ['seller'], async (lab) => {
    const control = await acceptedSubscription(lab);
    for (const [at, changes] of all.entries()) {
      // An address of its own each: one may be subscribed once only.
      const url = `${control}/${id}/${at}`;
      const answer = await subscribe(lab, { url, ...changes });
      if (answer.status === 409 || answer.status === 412) await expectRoom(lab, `${url}/valid`);
      expectRefused(lab, answer, [400]);
    }
  });
}

function unheard(id: CheckId, cause: Cause, ...needs: readonly 'readOnly'[]): Check {
  return check(id, ['connection', ...operationsTo('SETTLED'), ...needs], (lab) => expectUnheard(lab, cause));
}

/** How many subscriptions there may be is not shown, nor whether that is asked first. */
async function expectRoom(lab: Lab, url: string): Promise<void> {
  const { status } = await subscribe(lab, { url });
  if (status === 409 || status === 412) notApplicable(`another subscription is refused with ${status}`);
}

/** Behind the first delivery, one of a certain settlement arrives within so many milliseconds. */
const OWN_WITHIN_MS = 1500;

/** Late, when no payments of others are under way, and the first of those: it waits for what never comes. */
export const unfundedAnnounced: Check = checkIn(
  'late',
  'HOOK-09.unfunded-settlement',
  ['connection', 'buyer', ...operationsTo('SETTLED'), 'treasuryBalance'],
  async (lab) => {
    const inbox = await receiver(lab);
    const path = '/unfunded-settlement';
    const control = await subscribe(lab, { url: inbox.urlFor(path) });
    if (!accepted(control)) notApplicable(`a subscription to the kit's own receiver is refused (${control.status})`);
    const subscribed = { inbox, path, control };
    const lent = borrowingUnfunded(lab, (invoice) => refusedSettlement(lab, invoice));
    try {
      await expectUnannouncedOnes(lab, subscribed, lent);
    } catch (error) {
      if ((error as Error).name !== 'Breach') throw error;
      // Others may have moved what was lent: one of its own tells.
      const own = unfundedInvoice(lab).then((invoice) => refusedSettlement(lab, invoice));
      await expectUnannouncedOnes(lab, subscribed, own);
    }
  },
);

/** Throws NotApplicable where the settlement is not refused for want of funds. */
async function refusedSettlement(lab: Lab, { id }: Invoice): Promise<Unsettled> {
  const refusal = await perform(lab, 'settle', id);
  if (accepted(refusal)) notApplicable('it was settled; TREAS-01.settlement judges that');
  expectRefusedForFunds(refusal);
  return { id, refusal };
}

/** Of a settlement that was refused nothing is told, where one after it is announced. */
async function expectUnannouncedOnes(lab: Lab, subscribed: Subscribed, refused: Promise<Unsettled>): Promise<void> {
  const { inbox, path } = subscribed;
  const [unsettled, funded] = await Promise.all([refused, toBeSettled(lab)]);
  const isHeard = ({ id }: Invoice) => isAnnounced(inbox, path, id, lab.target.limits.settleWithinMs);
  let settled = await bring(lab, funded, 'SETTLED');
  let heard = await isHeard(settled);
  // What is older than the subscription, and was left over, may be one that is not announced: that is judged elsewhere.
  if (!heard && inbox.deliveries.length > 0) {
    settled = await reach(lab, 'SETTLED');
    heard = await isHeard(settled);
  }
  if (!heard) notApplicable('no settlement of this server is announced');
  await expectNotAnnounced(lab, subscribed, unsettled, settled.id);
}

/** A secret is chosen by the caller. Which letters it may have is not shown; one that breaks the server is not refused. */
async function expectLettersBorne(lab: Lab, url: string): Promise<void> {
  // Of a kind that the run hardly ever causes: nothing more is delivered for it.
  const eventTypes = ['BOOKING_CREATED'];
  const answer = await subscribe(lab, { url, eventTypes, signingSecret: `Schlüssel-Ω-${randomUUID()}` });
  expectThat(lab, answer.status !== 500, answer, 'a subscription, or a refusal', 'answered with 500, and again');
}

export const webhooks: readonly Check[] = [
  check('HOOK-01.created', ['seller'], async (lab) => {
    const inbox = await receiver(lab);
    const url = inbox.urlFor('/created');
    const answer = await subscribe(lab, { url });
    if (accepted(answer)) return await expectLettersBorne(lab, `${url}-lettered`);
    // Its address may be one to which this server does not deliver; https to a public name is beyond doubt.
    const second = await subscribe(lab, { url: elsewhere(lab, '/created') });
    expectPermitted(second);
    // Other runs have left theirs behind, and how many there may be is not shown.
    if (second.status === 409 || second.status === 412) notApplicable(`no subscription is accepted (${second.status})`);
    expectAccepted(lab, second, 'a subscription');
  }),

  check('HOOK-01.kinds', ['seller'], async (lab) => {
    const url = await acceptedSubscription(lab);
    const kinds = ['BOOKING_CREATED', 'BOOKING_UPDATED', 'PAYMENT_COMPLETED'];
    for (const eventTypes of [...kinds.map((each) => [each]), kinds]) {
      const kind = eventTypes.join(', ');
      // One address each: an address may be subscribed once only.
      const answer = await subscribe(lab, { url: `${url}/${eventTypes.join('-')}`, eventTypes });
      if (answer.status === 403 || answer.status === 409 || answer.status === 412) {
        notApplicable(`another subscription is refused with ${answer.status}: how many there may be is not shown`);
      }
      expectAccepted(lab, answer, `a subscription to ${kind}`);
    }
  }),

  refused('HOOK-02.url-number', { url: 42 }, { url: true }),
  refused('HOOK-08.url-in-array', { url: ['https://receiver.example.com/'] }),
  refused(
    'HOOK-02.url-text',
    { url: 'not a url' },
    { url: '' },
    { url: '/conformance' },
    { url: 'receiver.example.com/hook' },
  ),
  refused(
    'HOOK-02.event-types-string',
    { eventTypes: 'PAYMENT_COMPLETED' },
    { eventTypes: { 0: 'PAYMENT_COMPLETED', length: 1 } },
    { eventTypes: { PAYMENT_COMPLETED: true } },
  ),
  refused(
    'HOOK-02.event-types-numbers',
    { eventTypes: [42] },
    { eventTypes: [null] },
    { eventTypes: [{ kind: 'PAYMENT_COMPLETED' }] },
    { eventTypes: [['PAYMENT_COMPLETED']] },
    { eventTypes: ['PAYMENT_COMPLETED', 42] },
  ),
  refused(
    'HOOK-02.signing-secret-number',
    { signingSecret: 42 },
    { signingSecret: true },
    { signingSecret: ['conformance-signing-secret'] },
  ),
  refused(
    'HOOK-03.undeclared',
    { conformanceProbe: 'undeclared' },
    { conformanceProbe: null },
    { conformanceProbe: { nested: 'undeclared' } },
    { conformanceProbe: [] },
    { active: true },
    { description: 'conformance' },
    { secret: 'conformance-signing-secret' },
    { ['__proto__']: { active: true } },
    { Url: 'https://receiver.example.com/' },
  ),

  check('HOOK-04.settlement', ['connection', ...operationsTo('SETTLED')], async (lab) => {
    const inbox = await receiver(lab);
    const url = inbox.urlFor('/settlement');
    const secret = signingSecret();
    const answer = await subscribe(lab, { url, signingSecret: secret });
    if (!accepted(answer)) notApplicable(`a subscription to the kit's own receiver is refused (${answer.status})`);
    const { id } = await nextSettlement(lab);
    const within = announcedWithinMs(lab);
    const arrived = await deliveriesTo(inbox, '/settlement', within);
    // When the run ends, all that is delivered of it is there.
    lab.run.atEnd(async () => {
      const all = inbox.deliveries.filter(({ path }) => path === '/settlement');
      lab.observe(
        'webhook-delivery',
        summaryOf(all, secret, ({ body }) => mentions(body, id)),
      );
    });
    if (arrived.length === 0) {
      throw breach(
        lab,
        answer,
        'a delivery to the subscription after a settlement',
        `none arrived within ${within} ms`,
      );
    }
  }),

  check('HOOK-04.every-settlement', ['connection', ...operationsTo('SETTLED')], async (lab) => {
    const inbox = await receiver(lab);
    const path = '/every-settlement';
    const answer = await subscribe(lab, { url: inbox.urlFor(path) });
    if (!accepted(answer)) notApplicable(`a subscription to the kit's own receiver is refused (${answer.status})`);
    const within = announcedWithinMs(lab);
    const first = await nextSettlement(lab);
    const heard = await deliveriesTo(inbox, path, within);
    if (inbox.deliveries.length === 0) blockedBy('HOOK-04.settlement', 'nothing was delivered at all');
    const expected = 'a delivery to the subscription after each settlement';
    if (heard.length === 0) throw breach(lab, answer, expected, `none arrived within ${within} ms`);
    // Whether a payload names its invoice is not shown: where it does not, any other delivery will do.
    const about = await deliveriesTo(inbox, path, OWN_WITHIN_MS, ({ body }) => mentions(body, first.id));
    const arrived = () => deliveriesTo(inbox, path, 0);
    const before = (await arrived()).length;
    if (about.length > 0 && (await isHeardOfLeftOver(lab, inbox, path, within))) return;
    const second = await nextSettlement(lab);
    const goesOn = (all: readonly Delivery[]) =>
      about.length > 0 ? all.some(({ body }) => mentions(body, second.id)) : all.length > before;
    const isOfSecond = ({ body }: Delivery) => mentions(body, second.id);
    if (about.length > 0) await deliveriesTo(inbox, path, within, isOfSecond);
    const all = await pollUntil(lab, arrived, goesOn, about.length > 0 ? 0 : within);
    const because = `none of a second settlement arrived within ${within} ms`;
    expectThat(lab, goesOn(all), answer, expected, because);
  }),

  check('HOOK-04.unusual', ['connection', ...operationsTo('SETTLED')], expectUnusualOnesHeard),

  check('HOOK-04.whole-address', ['connection', ...operationsTo('SETTLED')], async (lab) => {
    const inbox = await receiver(lab);
    const path = '/Whole-Address';
    const query = '?of=Conformance';
    const answer = await subscribe(lab, { url: `${inbox.urlFor(path)}${query}` });
    if (!accepted(answer)) notApplicable(`an address with a query is refused (${answer.status})`);
    await nextSettlement(lab);
    const sent = () =>
      inbox.deliveries.filter((delivery) => delivery.path.toLowerCase().startsWith(path.toLowerCase()));
    const [first] = await pollUntil(
      lab,
      async () => sent(),
      (arrived) => arrived.length > 0,
    );
    if (!first) {
      await expectReachable(inbox);
      return blockedBy('HOOK-04.settlement', 'nothing was delivered');
    }
    const because = `it went to ${first.path}`;
    // Something more may have been put behind it.
    const whole = first.path.startsWith(path) && first.path.includes(query.slice(1));
    expectThat(lab, whole, answer, `a delivery to ${path}${query}`, because);
  }),

  check('HOOK-05.outsider', ['connection', 'outsider', ...operationsTo('SETTLED')], async (lab) => {
    const inbox = await receiver(lab);
    const foreign = await subscribe(lab, { url: inbox.urlFor('/outsider') }, { as: lab.who('outsider') });
    if (!accepted(foreign)) notApplicable(`the outsider may not subscribe to the kit's receiver (${foreign.status})`);
    const others = {
      '/outsider-of-bookings': BOOKING_KINDS,
      '/outsider-of-all': [...BOOKING_KINDS, 'PAYMENT_COMPLETED'],
    };
    for (const [path, eventTypes] of Object.entries(others))
      await subscribe(lab, { url: inbox.urlFor(path), eventTypes }, { as: lab.who('outsider') });
    // The control: the seller's own subscription hears of the same settlement.
    const own = await subscribe(lab, { url: inbox.urlFor('/insider') });
    const invoice = await nextSettlement(lab);
    const about = ({ body }: Delivery) => mentions(body, invoice.id);
    const heard = await deliveriesTo(inbox, '/insider', lab.target.limits.settleWithinMs);
    // What came first may be about other settlements; whether a payload names its invoice is not shown.
    if (heard.length > 0) await deliveriesTo(inbox, '/insider', OWN_WITHIN_MS, about);
    const paths = ['/outsider', ...Object.keys(others)];
    const [leaked] = (await Promise.all(paths.map((path) => deliveriesTo(inbox, path, STRAGGLERS_MS, about)))).flat();
    if (leaked)
      throw breach(
        lab,
        foreign,
        "nothing of the settlement at a third organization's receiver",
        `it received ${leaked.body}`,
        [own],
      );
    if (heard.length === 0) notApplicable('no settlement of this server is announced to anybody');
  }),

  check('HOOK-07.other-kind', ['connection', ...operationsTo('SETTLED')], async (lab) => {
    const inbox = await receiver(lab);
    const pathOf = (kinds: readonly string[]) => `/only/${kinds.join('-and-')}`;
    const asked = [...BOOKING_KINDS.map((kind) => [kind]), [...BOOKING_KINDS]];
    const others = await Promise.all(
      asked.map((kinds) => subscribe(lab, { url: inbox.urlFor(pathOf(kinds)), eventTypes: kinds })),
    );
    const [refusal] = others.filter((each) => !accepted(each));
    if (refusal) notApplicable(`a subscription to the kit's own receiver is refused (${refusal.status})`);
    // The control: one to the kind itself hears of the same settlement.
    await subscribe(lab, { url: inbox.urlFor('/same-kind') });
    const invoice = await nextSettlement(lab);
    const within = lab.target.limits.settleWithinMs;
    const about = await deliveriesTo(inbox, '/same-kind', within, ({ body }) => body.includes(invoice.id));
    if (about.length === 0) notApplicable('no settlement of this server is announced');
    // Samples may be of any kind. What a delivery looks like is not shown: one of a booking may name what it came of, and say in a header what it is.
    const isPayment = (delivery: Delivery) => delivery.body.includes('"PAYMENT_COMPLETED"') && !ofBooking(delivery);
    await Promise.all(
      asked.map(async (kinds, at) => {
        const isWrong = (delivery: Delivery) =>
          mentions(delivery.body, invoice.id) && (isPayment(delivery) || ofOtherBooking(delivery, kinds));
        const [wrong] = await deliveriesTo(inbox, pathOf(kinds), STRAGGLERS_MS, isWrong);
        const subscription = others[at];
        if (wrong && subscription)
          throw breach(lab, subscription, `deliveries of ${kinds.join(' and ')} alone`, `it received ${wrong.body}`);
      }),
    );
  }),

  check('HOOK-07.several-kinds', ['connection', ...operationsTo('SETTLED')], async (lab) => {
    const inbox = await receiver(lab);
    const kinds = ['BOOKING_CREATED', 'BOOKING_UPDATED', 'PAYMENT_COMPLETED'];
    // The controls: one before it and one behind it, to the last of the kinds, hear of the same settlement.
    await subscribe(lab, { url: inbox.urlFor('/one-before-several') });
    const orders = [kinds, kinds.toReversed()];
    const several = await Promise.all(
      orders.map((eventTypes, at) => subscribe(lab, { url: inbox.urlFor(`/several/${at}`), eventTypes })),
    );
    const refusal = several.find((each) => !accepted(each));
    if (refusal) notApplicable(`a subscription to the kit's own receiver is refused (${refusal.status})`);
    await subscribe(lab, { url: inbox.urlFor('/one-of-several') });
    const invoice = await nextSettlement(lab);
    const within = lab.target.limits.settleWithinMs;
    const isPayment = ({ body }: Delivery) => body.includes('PAYMENT_COMPLETED') && body.includes(invoice.id);
    const control = await deliveriesTo(inbox, '/one-of-several', within, isPayment);
    if (control.length === 0) notApplicable('no settlement of this server is announced as PAYMENT_COMPLETED');
    const earlier = await deliveriesTo(inbox, '/one-before-several', within, isPayment);
    if (earlier.length === 0) notApplicable('a later subscription takes the place of an earlier one');
    await Promise.all(
      several.map(async (answer, at) => {
        const heard = await deliveriesTo(inbox, `/several/${at}`, within, isPayment);
        if (heard.length > 0) return;
        const because = `only those to ${kinds.at(-1)} alone received it, before it and behind it`;
        throw breach(lab, answer, 'PAYMENT_COMPLETED at a subscription to several kinds, too', because);
      }),
    );
  }),

  unheard('AUTH-07.webhook-unheard', 'credentials'),
  unheard('ENV-01.webhook-unheard', 'environment'),
  unheard('PERM-01.webhook-unheard', 'permission', 'readOnly'),
  unheard('HOOK-02.unheard', 'body'),
  check('HOOK-09.refused-settlement', ['connection', ...operationsTo('SETTLED')], expectUnannounced),

  check('ERR-05.subscription', ['seller'], async (lab) => {
    const url = await acceptedSubscription(lab);
    for (const missing of [{ eventTypes: undefined }, { signingSecret: undefined }, { url: undefined }]) {
      const answer = await subscribe(lab, { url, ...missing });
      expectThat(lab, answer.status < 500, answer, 'a subscription or a refusal', `answered with ${answer.status}`);
    }
  }),
];

import { describe, expect, test, vi } from 'vitest';
import type { ApiRequest, ApiResponse } from '../../../engine/model/messages.ts';
import { Breach, NotApplicable } from '../../../engine/model/outcomes.ts';
import { sendAction } from '../../../helpers/api/operations.ts';
import type { Invoice } from '../../../helpers/invoices/invoices.ts';
import { expectStateRejection } from '../../../helpers/lifecycle/rejected-action.ts';
import { expectInvoiceUnchanged, expectNoLateChange } from '../../../helpers/lifecycle/unchanged-invoices.ts';
import { answerOf, type Reply, scripted } from '../support/contexts.ts';

const record = { id: 'inv-1', invoiceNumber: 'INV-1', status: 'DRAFT', amount: '1.00', dueDate: '2027-01-31' };
const body = { description: 'Chair' };
const invoice = { id: 'inv-1', state: 'DRAFT', created: answerOf(201), body } as Invoice;

/** The control for spontaneous changes of such an invoice. */
const untouched = { ...record, id: 'inv-2' };

const byState: Reply = { status: 412, json: { code: 'INV004' } };
const other412: Reply = { status: 412, json: { code: 'ROLE' } };
const status = (code: number): Reply => ({ status: code });

interface Way {
  buyer: Reply;
  seller?: Reply;
  /** The response to a read by the buyer, who acts first. */
  read?: Reply;
  conflict?: boolean;
  worksElsewhere?: boolean;
  changes?: object;
}

/** `approve` for a DRAFT, which does not offer it: requested by the buyer and then by the seller. */
function refusal({ buyer, seller = byState, read = { status: 200, json: record }, changes, ...options }: Way) {
  const reply = { buyer, seller };
  const { ctx, asks } = scripted((ask) => {
    if (ask.operation === 'create') return { status: 201, json: untouched };
    if (ask.path.endsWith(untouched.id)) return { status: 200, json: untouched };
    return ask.operation === 'read' ? read : (reply[ask.actor as 'buyer'] ?? status(500));
  }, changes);
  const held = expectStateRejection(
    ctx,
    'approve',
    { ...invoice, created: answerOf(201) },
    { conflict: false, worksElsewhere: true, ...options },
  );
  return { held, asks };
}

const strictly = { conflict: false, worksElsewhere: true };

describe('an action that the state does not offer is rejected', () => {
  test.each<[string, Way]>([
    ['with 412 INV004 for both parties', { buyer: byState }],
    ['with 409 if it is allowed', { buyer: status(409), conflict: true }],
    ['with 412 INV004 for one party and 403 for the other', { buyer: byState, seller: status(403) }],
    ['with 403 for the first party and 412 INV004 for the other', { buyer: status(403) }],
    ['with 409 for the other party if it is allowed', { buyer: status(403), seller: status(409), conflict: true }],
    ['with 404 for a party that cannot read the invoice', { buyer: status(404), read: status(404) }],
    [
      'with 404 for a party that cannot read it, and 403 for the other',
      { buyer: status(404), read: status(404), seller: status(403) },
    ],
    ['with 404 for both if one party cannot read it', { buyer: status(404), read: status(404), seller: status(404) }],
    [
      'with 404 for a party that cannot read it, and 409 for the other',
      { buyer: status(404), read: status(404), seller: status(409) },
    ],
    [
      'with 404 for a party that cannot read it, and another 412 for the other',
      { buyer: status(404), read: status(404), seller: other412 },
    ],
  ])('%s', async (_, way) => {
    await refusal(way).held;
  });

  test.each<[string, RegExp, Way]>([
    ['accepted', /the server accepted the request with 200.*buyer/, { buyer: status(200) }],
    [
      'accepted for the other party',
      /the server accepted the request with 200.*seller/,
      { buyer: byState, seller: status(200) },
    ],
    ['rejected with 412 and another code', /the code is "ROLE"/, { buyer: other412 }],
    ['rejected with 409 if it is not allowed', /the server returned 409.*buyer/, { buyer: status(409) }],
    ['rejected with 400', /the server returned 400.*buyer/, { buyer: status(400) }],
    [
      'rejected with 403 for both parties',
      /the server returned 403.*buyer/,
      { buyer: status(403), seller: status(403) },
    ],
    ['rejected with 404 although the party can read it', /the server returned 404.*buyer/, { buyer: status(404) }],
    [
      'accepted for one party after a 403 for the other',
      /accepted.*seller/,
      { buyer: status(403), seller: status(200) },
    ],
    [
      'accepted for one party after a 404 for the other',
      /accepted.*seller/,
      { buyer: status(404), seller: status(200) },
    ],
    [
      'accepted for one party and hidden from the other',
      /accepted.*seller/,
      { buyer: status(404), seller: status(200), read: status(404) },
    ],
    [
      'rejected with 400 for one party and hidden from the other',
      /404.*buyer/,
      { buyer: status(404), seller: status(400), read: status(404) },
    ],
    [
      'rejected with another code for the other party',
      /the code is "ROLE".*seller/,
      { buyer: status(403), seller: other412 },
    ],
    [
      'rejected with 409 for the other party',
      /the server returned 409.*seller/,
      { buyer: status(403), seller: status(409) },
    ],
    [
      'rejected with 403 although it can be listed',
      /the server returned 403.*buyer/,
      { buyer: status(403), seller: status(403), read: status(404) },
    ],
  ])('but not %s', async (_, because, way) => {
    await expect(refusal(way).held).rejects.toThrow(because);
    await expect(refusal(way).held).rejects.toBeInstanceOf(Breach);
  });

  test('by an unknown cause if no invoice was ever seen APPROVED', async () => {
    await expect(refusal({ buyer: status(403), worksElsewhere: false }).held).rejects.toBeInstanceOf(NotApplicable);
    await expect(refusal({ buyer: status(200), worksElsewhere: false }).held).rejects.toBeInstanceOf(Breach);
    await expect(refusal({ buyer: status(409), worksElsewhere: false }).held).rejects.toBeInstanceOf(Breach);
    await refusal({ buyer: byState, worksElsewhere: false }).held;
  });

  test('for the other party, too, in either order', async () => {
    const asked = async (first: Reply) => {
      const { ctx, asks } = scripted(({ actor }) => (actor === 'seller' ? first : byState));
      await expectStateRejection(ctx, 'submit', invoice, { conflict: false, worksElsewhere: true });
      return asks.map(({ actor }) => actor);
    };
    expect(await asked(byState)).toEqual(['seller', 'buyer', 'seller']);
    expect(await asked(status(403))).toEqual(['seller', 'buyer']);
  });

  test('with any other fields of the request', async () => {
    const named = ({ headers = [] }: ApiRequest) => headers.some(([name]) => name === 'X-Environment');
    const { ctx, asks } = scripted((ask) => {
      if (ask.operation === 'create') return { status: 201, json: untouched };
      if (ask.operation === 'read') return { status: 200, json: untouched };
      return named(ask) ? status(200) : byState;
    });
    const held = expectStateRejection(ctx, 'submit', { ...invoice, created: answerOf(201) }, strictly);
    await expect(held).rejects.toThrow(/the server accepted the request with 200.*X-Environment/);
    expect(asks.find(named)?.body).toHaveProperty('requestId');
  });

  test('not with 409 INV004 for the other party if 409 is not allowed', async () => {
    const inv004 = { status: 409, json: { code: 'INV004' } };
    const hidden = { buyer: status(404), seller: inv004, read: status(404) };
    await expect(refusal(hidden).held).rejects.toThrow(/the server returned 409.*seller/);
    await refusal({ ...hidden, conflict: true }).held;
  });

  test('for one party only if the target file has no other', async () => {
    const operations = { approve: { method: 'POST', path: '/invoices/{id}', actor: 'seller' } };
    const changes = { actors: { seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' } }, operations };
    await refusal({ buyer: byState, changes }).held;
    const { held, asks } = refusal({ buyer: byState, seller: status(403), changes });
    await expect(held).rejects.toThrow('the server returned 403');
    expect(asks).toHaveLength(1);
  });
});

/**
 * A server on which the rejected action changed the invoice as given. New invoices are created in the state `twin` and
 * stay there.
 */
function serverAfter(now: Reply, twin: string[] = ['DRAFT']) {
  const states = [...twin];
  return scripted(({ operation, path }) => {
    if (operation === 'create') return { status: 201, json: { ...record, id: 'inv-2' } };
    if (path.endsWith('inv-1')) return now;
    const shown = states.length > 1 ? states.shift() : states[0];
    return { status: 200, json: { ...record, id: 'inv-2', status: shown } };
  });
}

describe('an invoice is unchanged after a rejection', () => {
  const stays = { status: 200, json: record };

  test('if it has the same content', async () => {
    await expectInvoiceUnchanged(serverAfter(stays).ctx, invoice, record, answerOf(412));
    await expectInvoiceUnchanged(serverAfter(stays).ctx, invoice, null);
    await expectInvoiceUnchanged(serverAfter({ status: 200, json: { ...record, note: 'new' } }).ctx, invoice, {
      status: 'DRAFT',
    });
  });

  test.each<[string, RegExp, Reply]>([
    ['is gone', /^the invoice is gone/, status(404)],
    [
      'is in another state',
      /was DRAFT before .* is SUBMITTED after/,
      { status: 200, json: { ...record, status: 'SUBMITTED' } },
    ],
    ['has another amount', /amount was "1.00" before/, { status: 200, json: { ...record, amount: '2.00' } }],
  ])('but not if it %s', async (_, because, now) => {
    await expect(expectInvoiceUnchanged(serverAfter(now).ctx, invoice, record, answerOf(412))).rejects.toThrow(because);
  });

  test('and the rejection is shown with the change, if there is one', async () => {
    const refusalBefore = { ...answerOf(412), exchange: 'x0' };
    const shown = async (refusal?: ApiResponse) => {
      const { ctx, asks } = serverAfter(status(404));
      const exchanges = await expectInvoiceUnchanged(ctx, invoice, record, refusal).catch((breach) => breach.exchanges);
      return { exchanges, look: `x${asks.findIndex(({ path }) => path.endsWith('inv-1')) + 1}` };
    };
    const [beside, alone] = [await shown(refusalBefore), await shown()];
    expect(beside.exchanges).toEqual([beside.look, 'x0']);
    expect(alone.exchanges).toEqual([alone.look]);
  });

  test('even if a stale read shows an earlier state', async () => {
    const shown = ['SUBMITTED', 'DRAFT', 'DRAFT'];
    const reply = ({ path }: ApiRequest) =>
      path.endsWith('inv-1') ? { status: 200, json: { ...record, status: shown.shift() } } : status(500);
    const { ctx, asks } = scripted(reply, { limits: { settleWithinMs: 5000 } });
    const looks = () => asks.filter(({ path }) => path.endsWith('inv-1'));
    await expectInvoiceUnchanged(ctx, invoice, record, answerOf(412));
    expect(looks()).toHaveLength(2);
    await expectInvoiceUnchanged(ctx, invoice, record, answerOf(412));
    expect(looks()).toHaveLength(3);
  });

  test('unless invoices change spontaneously', async () => {
    const { ctx } = serverAfter({ status: 200, json: { ...record, status: 'SUBMITTED' } }, ['SUBMITTED']);
    await expect(expectInvoiceUnchanged(ctx, invoice, record, answerOf(412))).rejects.toBeInstanceOf(NotApplicable);
  });

  test('unless a rule concerns the variant of the invoice', async () => {
    const inDollars = { ...invoice, body: { currency: 'USD', description: 'Chair' } } as Invoice;
    for (const kind of ['CANCELLED', 'DRAFT']) {
      const { ctx } = scripted(({ operation, path, body }): Reply => {
        const isLike = (body as { currency?: string } | undefined)?.currency === 'USD';
        if (operation === 'create') return { status: 201, json: { ...record, id: isLike ? 'inv-3' : 'inv-2' } };
        const shown = path.endsWith('inv-1') ? 'CANCELLED' : path.endsWith('inv-3') ? kind : 'DRAFT';
        return { status: 200, json: { ...record, id: path.split('/').at(-1), status: shown } };
      });
      const end = expect(expectInvoiceUnchanged(ctx, inDollars, record, answerOf(412))).rejects;
      await end.toBeInstanceOf(kind === 'DRAFT' ? Breach : NotApplicable);
    }
  });

  test('even if the change shows only later', async () => {
    let now: Reply = stays;
    const { ctx } = scripted(({ operation, path }) => {
      if (operation === 'create') return { status: 201, json: { ...record, id: 'inv-2' } };
      return path.endsWith('inv-1') ? now : { status: 200, json: { ...record, id: 'inv-2' } };
    });
    expect(await expectNoLateChange(ctx)).toBe(0);
    await expectInvoiceUnchanged(ctx, invoice, record, answerOf(412));
    // The first exchange waits longer, so that its response comes last. The breach still names it.
    const later = performance.now() + 50;
    await vi.waitUntil(() => performance.now() > later);
    await expectInvoiceUnchanged(ctx, invoice, record);
    expect(await expectNoLateChange(ctx)).toBe(2);
    now = { status: 200, json: { ...record, status: 'CANCELLED' } };
    await expect(expectNoLateChange(ctx)).rejects.toThrow(
      'the server rejected list, the actions of AUTH-01.both-missing on this DRAFT invoice, but it is now CANCELLED',
    );
    now = status(404);
    await expect(expectNoLateChange(ctx)).rejects.toThrow('it is now gone');
  });

  test('through the list, and reads one by one only some of them and those that the list shows differently', async () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ ...record, id: `inv-${at + 10}` }));
    let listed = many;
    const read: string[] = [];
    const { ctx } = scripted(({ operation, path }) => {
      if (operation === 'create') return { status: 201, json: { ...record, id: 'inv-2' } };
      if (operation === 'list') return { status: 200, json: { items: listed, totalPages: 1 } };
      const id = path.split('/').at(-1) ?? '';
      // The untouched invoice is read in the background.
      if (id !== 'inv-2') read.push(id);
      return { status: 200, json: { ...record, id } };
    });
    for (const each of many) await expectInvoiceUnchanged(ctx, { ...invoice, id: each.id }, each);
    read.length = 0;
    expect(await expectNoLateChange(ctx)).toBe(40);
    expect(read).toHaveLength(8);
    listed = many.slice(1).map((each) => (each.id === 'inv-49' ? { ...each, status: 'CANCELLED' } : each));
    await expectNoLateChange(ctx);
    expect(read).toEqual(expect.arrayContaining(['inv-10', 'inv-49']));
  });

  test('unless a later action was accepted, and reports it once', async () => {
    let now: Reply = stays;
    const { ctx } = scripted(({ operation, path }) => {
      if (operation === 'create') return { status: 201, json: { ...record, id: 'inv-2' } };
      if (operation === 'cancel') return status(200);
      return path.endsWith('inv-1') ? now : { status: 200, json: { ...record, id: 'inv-2' } };
    });
    await expectInvoiceUnchanged(ctx, invoice, record, answerOf(412));
    await sendAction(ctx, 'cancel', invoice.id, { as: ctx.credentials('seller') });
    now = { status: 200, json: { ...record, status: 'CANCELLED' } };
    expect(await expectNoLateChange(ctx)).toBe(0);
    await expect(expectInvoiceUnchanged(ctx, invoice, record, answerOf(412))).rejects.toThrow('is CANCELLED after it');
    expect(await expectNoLateChange(ctx)).toBe(0);
  });
});

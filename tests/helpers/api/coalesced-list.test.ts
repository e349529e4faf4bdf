import { describe, expect, test, vi } from 'vitest';
import type { Client } from '../../../engine/http/client.ts';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { NoResponse } from '../../../engine/model/outcomes.ts';
import { newCheckExecution } from '../../../engine/run/check-definition.ts';
import { coalescedList } from '../../../helpers/api/coalesced-list.ts';
import { CheckContext } from '../../../helpers/context/check.ts';
import { answerTo, labOf } from '../support/contexts.ts';

const FIRST = { page: 0, limit: 100 };

/** Two contexts of one run, and a client that sends requests and responds when the test says so. */
function held() {
  const asks: ApiRequest[] = [];
  const leave: (() => void)[] = [];
  const response: (() => void)[] = [];
  const fail: (() => void)[] = [];
  const send = (ask: ApiRequest, _check: unknown, keep: (exchange: string) => void, onDeparture: () => void) => {
    const id = `x${asks.push(ask)}`;
    return new Promise((resolve, reject) => {
      leave.push(onDeparture);
      response.push(() => {
        keep(id);
        resolve(answerTo(ask, { status: 200, json: { items: [] } }, id));
      });
      fail.push(() => reject(new NoResponse(id, 'GET /', 'no answer')));
    });
  };
  const client = { send } as unknown as Client;
  const one = labOf({}, client);
  const other = new CheckContext(one.run, newCheckExecution('LIST-08.walk'), { client });
  const asked = (times: number) => vi.waitFor(() => expect(asks).toHaveLength(times));
  return { one, other, asks, asked, leave, answer: response, fail };
}

describe('a shared list request', () => {
  test('serves all callers before it is sent, and is evidence for each', async () => {
    const { one, other, asks, leave, answer: response, asked } = held();
    const looks = [coalescedList(one, FIRST, 'seller'), coalescedList(other, FIRST, 'seller')];
    await asked(1);
    leave[0]?.();
    response[0]?.();
    const [first, second] = await Promise.all(looks);
    expect(asks).toHaveLength(1);
    expect(second).toBe(first);
    expect([one.execution.exchanges, other.execution.exchanges]).toEqual([['x1'], ['x1']]);
  });

  test('does not serve later callers: they share the next one', async () => {
    const { one, other, asks, leave, answer: response, asked } = held();
    const early = coalescedList(one, FIRST, 'seller');
    await asked(1);
    leave[0]?.();
    const late = coalescedList(other, FIRST, 'seller');
    const later = coalescedList(one, FIRST, 'seller');
    response[0]?.();
    expect((await early).exchange).toBe('x1');
    await asked(2);
    response[1]?.();
    expect((await late).exchange).toBe('x2');
    expect((await later).exchange).toBe('x2');
    expect(asks).toHaveLength(2);
  });

  test('is not waited for if it takes longer than usual', async () => {
    const { one, other, leave, answer: response, asked } = held();
    const early = coalescedList(one, FIRST, 'seller');
    await asked(1);
    leave[0]?.();
    const late = coalescedList(other, FIRST, 'seller');
    await asked(2);
    leave[1]?.();
    response[1]?.();
    expect((await late).exchange).toBe('x2');
    response[0]?.();
    expect((await early).exchange).toBe('x1');
  });

  test('that fails does not fail the callers that waited for its end', async () => {
    const { one, other, leave, fail, answer: response, asked } = held();
    const early = coalescedList(one, FIRST, 'seller');
    await asked(1);
    leave[0]?.();
    const late = coalescedList(other, FIRST, 'seller');
    fail[0]?.();
    await expect(early).rejects.toThrow(NoResponse);
    await asked(2);
    response[1]?.();
    expect((await late).exchange).toBe('x2');
  });

  test('for another page is a request of its own', async () => {
    const { one, asked } = held();
    void coalescedList(one, FIRST, 'seller');
    void coalescedList(one, { ...FIRST, page: 1 }, 'seller');
    await asked(2);
  });

  test('is not shared inside an exclusive section', async () => {
    const { one, other, asks, answer: response } = held();
    const outside = coalescedList(one, FIRST, 'seller');
    const inside = other.run.invoiceLock.exclusive(other.lockOwner, async () => {
      const look = coalescedList(other, FIRST, 'seller');
      response[1]?.();
      return await look;
    });
    expect((await inside).exchange).toBe('x2');
    response[0]?.();
    await outside;
    expect(asks).toHaveLength(2);
  });

  test('that fails fails for all callers, and the next one is sent again', async () => {
    const { one, other, fail, answer: response, asked } = held();
    const looks = [coalescedList(one, FIRST, 'seller'), coalescedList(other, FIRST, 'seller')];
    await asked(1);
    fail[0]?.();
    const ends = await Promise.allSettled(looks);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = coalescedList(one, FIRST, 'seller');
    await asked(2);
    response[1]?.();
    expect((await next).exchange).toBe('x2');
  });
});

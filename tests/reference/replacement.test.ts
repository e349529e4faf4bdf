import { expect, test } from 'vitest';
import { RejectionError } from '../../reference/service/rejection.ts';
import { client } from './client.ts';

test('a replaced rule is used', async () => {
  const leaky = client({
    rules: (honest) => ({ ...honest, visibleInvoices: ({ world: environment }) => [...environment.invoices.values()] }),
  });
  expect(await leaky.total('outsider')).toBe(8);
  expect(await client().total('outsider')).toBe(3);
});

test('a rule can wrap the original rule', async () => {
  const { create } = client({
    rules: (honest) => ({
      ...honest,
      renderInvoice: (invoice) => ({ ...honest.renderInvoice(invoice), amount: Number(invoice.amount) }),
    }),
  });
  expect((await create()).amount).toBe(120.5);
});

test('a rule called by another rule is the replaced one', async () => {
  const { create } = client({ rules: (honest) => ({ ...honest, now: () => new Date('2031-05-05T00:00:00Z') }) });
  expect(await create()).toMatchObject({ createdAt: '2031-05-05T00:00:00.000Z', invoiceNumber: 'INV-2031-000009' });
});

test('a rule can reject a request and still change data', async () => {
  const { create, act, read } = client({
    rules: (honest) => ({
      ...honest,
      transition: (call, invoice, action) => {
        try {
          return honest.transition(call, invoice, action);
        } catch (refusal) {
          invoice.status = 'CANCELLED';
          throw refusal;
        }
      },
    }),
  });
  const { id } = await create();
  expect((await act('buyer', id, 'approve')).status).toBe(412);
  expect((await read(id)).status).toBe('CANCELLED');
});

test('an effect can be delayed, and closing the service cancels it', async () => {
  const { create, act, read, reference } = client({
    rules: (honest) => ({
      ...honest,
      applyEffect: ({ background }, _action, effect) => background.schedule(20, effect),
    }),
  });
  const { id } = await create();
  await act('seller', id, 'submit');
  expect((await read(id)).status).toBe('DRAFT');
  await reference.service.background.waitUntilIdle();
  expect((await read(id)).status).toBe('SUBMITTED');
  await act('buyer', id, 'approve');
  reference.close();
  expect((await read(id)).status).toBe('SUBMITTED');
});

test('a rate limiter can reject requests with headers', async () => {
  const { reference, actors } = client({
    rules: (honest) => ({
      ...honest,
      throttle: () => {
        throw new RejectionError(429, 'RATE001', 'Too many requests', undefined, { 'X-RateLimit-Reset': '1' });
      },
    }),
  });
  const headers = { 'X-API-Key': actors.seller.key, 'X-API-Secret': actors.seller.secret };
  const response = await reference.fetch(new Request('http://reference/api/v1/invoices', { headers }));
  expect([response.status, response.headers.get('X-RateLimit-Reset')]).toEqual([429, '1']);
});

test('routes can be replaced', async () => {
  const { create, send } = client({
    routes: (honest) =>
      honest.map((route) =>
        route.name === 'submit' ? { ...route, method: 'PUT', path: '/api/v1/submissions/:id' } : route,
      ),
  });
  const { id } = await create();
  expect((await send('seller', `POST /api/v1/invoices/${id}/submit`)).body.code).toBe('REQ003');
  expect((await send('seller', `PUT /api/v1/submissions/${id}`)).body.status).toBe('SUBMITTED');
});

test('a response can be rewritten, with access to the request', async () => {
  const { send, invoice } = client({
    rewrite: ({ method }, { status }) => Response.json({ method }, { status: status + 1 }),
  });
  const { status, body } = await send('seller', 'POST /api/v1/invoices', { body: invoice() });
  expect([status, body]).toEqual([202, { method: 'POST' }]);
});

test('a rule that throws causes a 500 with error and code', async () => {
  const heard: unknown[] = [];
  const broken = client({
    rules: (honest) => ({
      ...honest,
      page: () => {
        throw new TypeError('broken');
      },
    }),
    onInternalError: (error) => heard.push(error),
  });
  const { status, body } = await broken.send('seller', 'GET /api/v1/invoices');
  expect([status, body]).toEqual([500, { error: 'Internal error', code: 'SRV001' }]);
  expect(heard).toHaveLength(1);
});

import { overrideRules } from '../overrides/override-rules.ts';
import type { Variation } from '../overrides/server-overrides.ts';
import type { Body } from '../service/call.ts';
import { RejectionError, rejections } from '../service/rejection.ts';

const DECLARED = ['sellerId', 'buyerId', 'amount', 'dueDate', 'currency', 'description', 'requestId'];
const LONGEST_DESCRIPTION = 40;
const LARGEST_BODY = 4 * 1024;
const WITHOUT_MINOR_UNITS = ['JPY', 'KRW', 'CLP', 'ISK', 'HUF', 'UGX', 'VND'];

const hasUndeclared = (body: Body) => Object.keys(body).some((name) => !DECLARED.includes(name));

/** Other rules for accepted and rejected creations. */
export const creationVariations: readonly Variation[] = [
  {
    id: 'description-capped',
    openPoint: 'OP-11',
    choice: 'at most 40 characters',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const input = base.validateCreate(call);
        const tooLong = [...(input.description ?? '')].length > LONGEST_DESCRIPTION;
        if (tooLong) throw rejections.invalidInvoice(`description: at most ${LONGEST_DESCRIPTION} characters`);
        return input;
      },
    })),
  },
  {
    id: 'zero-accepted',
    openPoint: 'OP-37',
    choice: 'accepted',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const { amount } = call.body;
        if (amount !== '0.00') return base.validateCreate(call);
        return { ...base.validateCreate({ ...call, body: { ...call.body, amount: '1.00' } }), amount };
      },
    })),
  },
  {
    id: 'undeclared-own-code',
    openPoint: 'OP-41',
    choice: 'codes of its own',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        if (hasUndeclared(call.body))
          throw new RejectionError(400, 'REQ004', 'Unknown field', 'the body has unknown fields');
        return base.validateCreate(call);
      },
    })),
  },
  {
    id: 'any-media-type',
    openPoint: 'OP-43',
    choice: 'it is read anyway',
    rules: overrideRules((base) => ({
      parseBody: (service, request) => {
        const headers = new Headers(request.headers);
        headers.set('Content-Type', 'application/json');
        return base.parseBody(service, { ...request, headers });
      },
    })),
  },
  {
    id: 'bodies-capped',
    openPoint: 'OP-44',
    choice: '4 KiB and 413 for larger ones',
    rules: overrideRules((base) => ({
      parseBody: (service, request) => {
        if (request.text.length > LARGEST_BODY) throw new RejectionError(413, 'REQ413', 'The body is too large');
        return base.parseBody(service, request);
      },
    })),
  },
  {
    id: 'large-bodies-rejected-without-body',
    openPoint: 'OP-44',
    choice: '64 KiB, and 413 without a body for larger ones',
    rewrite: (request, response) =>
      Number(request.headers.get('Content-Length') ?? 0) > 64 * 1024 ? new Response(null, { status: 413 }) : response,
    rules: overrideRules((base) => ({
      parseBody: (service, request) => {
        if (request.text.length > 64 * 1024) throw new RejectionError(413, 'REQ413', 'The body is too large');
        return base.parseBody(service, request);
      },
    })),
  },
  {
    id: 'cents-only-with-minor-units',
    openPoint: 'OP-123',
    choice: 'no, 400 INV002',
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const input = base.validateCreate(call);
        const hasCents = !input.amount.endsWith('.00');
        if (hasCents && WITHOUT_MINOR_UNITS.includes(input.currency ?? ''))
          throw rejections.invalidInvoice('amount: this currency has no cents');
        return input;
      },
    })),
  },
];

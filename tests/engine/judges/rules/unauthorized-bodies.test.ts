import { unauthorizedJudges } from '../../../../engine/judges/rules/unauthorized-bodies.ts';
import { received } from '../../support/responses.ts';
import { type Cases, tryEach } from '../support/rule-cases.ts';

const body = { error: 'Unauthorized', message: 'Invalid API key or secret' };
const refused = (json: unknown) => received({ status: 401, actor: null, json });
const others: Cases['silent'] = {
  success: received({ json: {} }),
  'another refusal': received({ status: 403, json: { error: 'Forbidden', code: 'X' } }),
};

tryEach(unauthorizedJudges, {
  'AUTH-05.everywhere': {
    keeps: {
      'the first': refused(body),
      'the same body again': [refused(body), refused(body)],
      'the same members in another order': [refused(body), refused({ message: body.message, error: body.error })],
      'the same text where there is no JSON': [
        received({ status: 401, text: 'no' }),
        received({ status: 401, text: 'no' }),
      ],
    },
    breaks: {
      'another message': [refused(body), refused({ ...body, message: 'Key revoked' })],
      'a member more': [refused(body), refused({ ...body, hint: 'x' })],
      'a text in the place of JSON': [refused(body), received({ status: 401, text: 'no' })],
      'an empty body after another': [refused(body), received({ status: 401 })],
    },
    silent: others,
  },
  'AUTH-06.fields': {
    keeps: { 'error and message': refused(body), 'more than those': refused({ ...body, requestId: '1' }) },
    breaks: {
      'no message': refused({ error: 'Unauthorized' }),
      'no error': refused({ message: 'no' }),
      'an empty message': refused({ ...body, message: '' }),
      'a message that is no text': refused({ ...body, message: { text: 'no' } }),
      'no JSON': received({ status: 401, text: 'Unauthorized' }),
      'an empty body': received({ status: 401 }),
    },
    silent: others,
  },
  'AUTH-06.no-code': {
    keeps: { 'error and message': refused(body), 'an empty body': received({ status: 401 }) },
    breaks: {
      'a code': refused({ ...body, code: 'AUTH001' }),
      'a code that is null': refused({ ...body, code: null }),
    },
    silent: others,
  },
  'KEY-02.never-shown': {
    keeps: {
      'an ordinary answer': received({ json: { a: 1 } }),
      'a secret too short to be told from a word': received({ json: { a: 'short' } }),
      'a secret that the request itself put into the path': received({
        path: '/api/v1/invoices/secret-of-the-seller',
        status: 404,
        json: { error: 'no invoice secret-of-the-seller' },
      }),
    },
    breaks: {
      'a secret in a success': received({ json: { apiKey: { secret: 'secret-of-the-seller' } } }),
      'a secret in a refusal': received({ status: 401, json: { ...body, message: 'secret-of-the-seller is wrong' } }),
      'a secret with letters as JSON escapes': received({
        text: '{"a":"\\u0073ecret-of-the-sell\\u0065r"}',
        json: { a: 'secret-of-the-seller' },
      }),
      'a secret in a body that is no JSON': received({ text: '<p>secret-of-the-seller</p>' }),
    },
    silent: {
      'an empty body': received({ status: 204 }),
      'a header, which may be what came in with the request': received({
        status: 204,
        headers: [['x-received', 'secret-of-the-seller']],
      }),
    },
  },
});

import { leakedSecretRules } from '../../../suites/every-exchange/leaked-secrets.ts';
import { received } from '../../engine/support/responses.ts';
import { tryEach } from './rule-cases.ts';

const body = { error: 'Unauthorized', message: 'Invalid API key or secret' };

tryEach(leakedSecretRules, {
  'KEY-02.never-shown': {
    keeps: {
      'an ordinary response': received({ json: { a: 1 } }),
      'a secret as short as a word': received({ json: { a: 'short' } }),
      'a secret in the path of the request': received({
        path: '/api/v1/invoices/secret-of-the-seller',
        status: 404,
        json: { error: 'no invoice secret-of-the-seller' },
      }),
    },
    breaks: {
      'a secret in a success': received({ json: { apiKey: { secret: 'secret-of-the-seller' } } }),
      'a secret in a rejection': received({ status: 401, json: { ...body, message: 'secret-of-the-seller is wrong' } }),
      'a secret with JSON escapes': received({
        text: '{"a":"\\u0073ecret-of-the-sell\\u0065r"}',
        json: { a: 'secret-of-the-seller' },
      }),
      'a secret in a body that is not JSON': received({ text: '<p>secret-of-the-seller</p>' }),
    },
    silent: {
      'an empty body': received({ status: 204 }),
      'a header, which may repeat the request': received({
        status: 204,
        headers: [['x-received', 'secret-of-the-seller']],
      }),
    },
  },
});

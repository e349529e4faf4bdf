import { leakedSecretRules } from '../../../suites/every-exchange/leaked-secrets.ts';
import { received } from '../../engine/support/responses.ts';
import { tryEach } from './rule-cases.ts';

const body = { error: 'Unauthorized', message: 'Invalid API key or secret' };

tryEach(leakedSecretRules, {
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

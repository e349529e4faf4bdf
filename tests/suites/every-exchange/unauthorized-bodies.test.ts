import { unauthorizedBodyRules } from '../../../suites/every-exchange/unauthorized-bodies.ts';
import { received } from '../../engine/support/responses.ts';
import { type Cases, tryEach } from './rule-cases.ts';

const body = { error: 'Unauthorized', message: 'Invalid API key or secret' };
const refused = (json: unknown) => received({ status: 401, actor: null, json });
const others: Cases['silent'] = {
  success: received({ json: {} }),
  'another rejection': received({ status: 403, json: { error: 'Forbidden', code: 'X' } }),
};

tryEach(unauthorizedBodyRules, {
  'AUTH-05.all-responses': {
    keeps: {
      'the first body': refused(body),
      'the same body twice': [refused(body), refused(body)],
      'the same members in another order': [refused(body), refused({ message: body.message, error: body.error })],
      'the same text that is not JSON': [received({ status: 401, text: 'no' }), received({ status: 401, text: 'no' })],
    },
    breaks: {
      'another message': [refused(body), refused({ ...body, message: 'Key revoked' })],
      'an additional member': [refused(body), refused({ ...body, hint: 'x' })],
      'a text in place of JSON': [refused(body), received({ status: 401, text: 'no' })],
      'an empty body after another body': [refused(body), received({ status: 401 })],
    },
    silent: others,
  },
  'AUTH-06.fields': {
    keeps: { 'error and message': refused(body), 'additional members': refused({ ...body, requestId: '1' }) },
    breaks: {
      'no message': refused({ error: 'Unauthorized' }),
      'no error': refused({ message: 'no' }),
      'an empty message': refused({ ...body, message: '' }),
      'a message that is not a text': refused({ ...body, message: { text: 'no' } }),
      'a body that is not JSON': received({ status: 401, text: 'Unauthorized' }),
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
});

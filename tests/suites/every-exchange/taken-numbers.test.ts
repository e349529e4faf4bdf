import { takenNumberRules } from '../../../suites/every-exchange/taken-numbers.ts';
import { invoice, received } from '../../engine/support/responses.ts';
import { tryEach } from './rule-cases.ts';

const creation = (status: number, json: unknown) => received({ operation: 'create', method: 'POST', status, json });
const created = () => creation(201, invoice());
const taken = () => creation(409, { error: 'Taken', code: 'INV003' });
const several = (count: number, make: typeof created) => Array.from({ length: count }, make);

tryEach(takenNumberRules, {
  'ERR-10.number-taken': {
    keeps: {
      'a creation': created(),
      'a single conflict': taken(),
      'nine conflicts': several(9, taken),
      'a conflict in every sixth creation': [...several(12, taken), ...several(60, created)],
    },
    breaks: {
      'a conflict in every second creation': [...several(12, taken), ...several(12, created)],
      'a conflict in every creation': several(10, taken),
    },
    silent: {
      'another conflict': creation(409, { error: 'Locked', code: 'LOCK001' }),
      'a conflict of a submission': received({ operation: 'submit', status: 409, json: { code: 'INV003' } }),
    },
  },
});

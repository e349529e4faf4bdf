import { takenNumberRules } from '../../../suites/every-exchange/taken-numbers.ts';
import { invoice, received } from '../../engine/support/responses.ts';
import { tryEach } from './rule-cases.ts';

const creation = (status: number, json: unknown, isAlone = true) => {
  const response = received({ operation: 'create', method: 'POST', status, json });
  return { ...response, request: { ...response.request, ...(isAlone && { isOnlyCreation: true as const }) } };
};
const created = () => creation(201, invoice());
const taken = () => creation(409, { error: 'Taken', code: 'INV003' });
const takenByAnother = () => creation(409, { error: 'Taken', code: 'INV003' }, false);
const several = (count: number, make: typeof created) => Array.from({ length: count }, make);

tryEach(takenNumberRules, {
  'ERR-10.number-taken': {
    keeps: {
      'a creation': created(),
      'a single conflict': taken(),
      'five conflicts': several(5, taken),
      'any number of conflicts among concurrent creations': several(80, takenByAnother),
      'a few conflicts of creations that are sent alone': [...several(40, takenByAnother), ...several(5, taken)],
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

import type { Fault } from '../fault.ts';
import { changeBody, statusFilter } from '../support/response-filters.ts';

export const authenticationLeakedSecretsFaults: readonly Fault[] = [
  {
    id: 'key-secret-echoed',
    requirement: 'KEY-02',
    defect: 'A validation error repeats the request headers for debugging, including the secret.',
    caughtBy: ['KEY-02.never-shown'],
    rewrite: changeBody(statusFilter(400), (body, { headers }) => ({ ...body, received: Object.fromEntries(headers) })),
  },
];

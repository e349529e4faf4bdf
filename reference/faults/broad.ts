import { replaced } from '../overrides/override-rules.ts';
import { transitions } from '../service/lifecycle.ts';
import { refusals } from '../service/refusal.ts';
import type { Fault } from './fault.ts';
import { changeBody, isList } from './support/response-filters.ts';

/** Defects that nearly every experiment meets: only the checks of the broken sentence may fail by them, and soon. */
export const broadFaults: readonly Fault[] = [
  {
    id: 'list-without-envelope',
    requirement: 'LIST-01',
    sentence: 'A list is the bare array of its records.',
    caughtBy: ['LIST-01.items'],
    rewrite: changeBody(isList, ({ items }) => items),
  },
  {
    id: 'life-everything-allowed',
    requirement: 'LIFE-02',
    sentence: 'No action looks at the state: each is accepted in every one.',
    caughtBy: ['LIFE-02.draft-approve', 'LIFE-02.cancelled-approve', 'LIFE-03.draft-settle'],
    rules: replaced(() => ({ transition: (_call, _invoice, action) => transitions[action].to })),
  },
  {
    id: 'life-every-refusal-acts',
    requirement: 'LIFE-02',
    sentence: 'Every action is carried out before its state is looked at, and then refused.',
    caughtBy: ['LIFE-02.draft-approve', 'LIFE-02.cancelled-approve'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (invoice.status === transitions[action].from) return honest.transition(call, invoice, action);
        const { to } = transitions[action];
        if (to !== 'DELETED') honest.change(call, invoice, to, {});
        throw refusals.actionNotAllowed();
      },
    })),
  },
];

import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { creationFault, rewriteBodyField } from '../support/creation.ts';

function refusingDates(pattern: RegExp): RuleChange {
  return overrideRules((base) => ({
    validateCreate: (call) => {
      const input = base.validateCreate(call);
      if (pattern.test(input.dueDate)) throw rejections.invalidInvoice('dueDate: no such day');
      return input;
    },
  }));
}

export const creationDueDateFaults: readonly Fault[] = [
  creationFault(
    'strips-date',
    'CREATE-07.generated',
    'Letters are stripped from a date.',
    rewriteBodyField('dueDate', (date) => date.replaceAll(/[^\d-]/g, '')),
  ),
  creationFault(
    'no-leap-days',
    'CREATE-07.leap-day',
    'The days of the months are a table, and February has 28 of them in every year.',
    refusingDates(/-02-29$/),
  ),
  creationFault('no-thirty-firsts', 'CREATE-07.every-day', 'The pattern of days ends with 30.', refusingDates(/-31$/)),
  creationFault(
    'octal-months',
    'CREATE-07.every-day',
    'The month is read as a number in the notation of the language, where 08 and 09 are none.',
    refusingDates(/-0[89]-/),
  ),
];

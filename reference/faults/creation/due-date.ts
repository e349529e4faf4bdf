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
    'Letters are removed from a date.',
    rewriteBodyField('dueDate', (date) => date.replaceAll(/[^\d-]/g, '')),
  ),
  creationFault(
    'no-leap-days',
    'CREATE-07.leap-day',
    'The table of month lengths gives February 28 days in every year.',
    refusingDates(/-02-29$/),
  ),
  creationFault('no-thirty-firsts', 'CREATE-07.every-day', 'The pattern of days ends with 30.', refusingDates(/-31$/)),
  creationFault(
    'octal-months',
    'CREATE-07.every-day',
    'The month is parsed as an octal number, for which 08 and 09 are invalid.',
    refusingDates(/-0[89]-/),
  ),
];

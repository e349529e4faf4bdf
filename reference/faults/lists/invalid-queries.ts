import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { createQueryError, failOnQuery, lenientQuery } from '../support/lists.ts';

/** Queries that one server or another puts into its statement as they are. */
const unparsed: readonly [word: string, query: RegExp, sentence: string][] = [
  ['limit-empty', /limit=(&|$)/, 'An empty limit becomes NaN, which the database refuses: 500.'],
  ['limit-repeated', /limit=5&limit=7/, 'A limit given twice is an array, which the database refuses: 500.'],
  ['limit-huge', /limit=9{20}/, 'A limit beyond all integers overflows: 500.'],
  ['limit-fraction', /limit=2\.5/, 'A limit with a fraction goes into the statement, which refuses it: 500.'],
  ['page-fraction', /page=1\.5/, 'A page with a fraction makes an offset with one, which the database refuses: 500.'],
  ['page-infinite', /page=Infinity/, 'An infinite page makes an offset that the database refuses: 500.'],
  ['page-huge', /page=9{20}/, 'A page beyond all integers overflows in the offset: 500.'],
  ['sorting', /sortBy=noSuchField/, 'The field to sort by goes into the statement as it is: 500.'],
];

export const listsInvalidQueriesFaults: readonly Fault[] = [
  ...unparsed.map(
    ([word, query, sentence]): Fault => ({
      id: `list-${word}-breaks`,
      requirement: 'LIST-11',
      defect: sentence,
      caughtBy: [`LIST-11.${word}` as CheckId, 'ERR-05.no-internal-error'],
      rules: overrideRules((base) => ({
        validateQuery: (call) => {
          if (query.test(call.request.query.toString())) throw new Error('invalid input syntax for type integer');
          return base.validateQuery(call);
        },
      })),
    }),
  ),
  {
    id: 'list-page-text-as-zero',
    requirement: 'LIST-10',
    defect: 'A page that is no number is taken for 0.',
    caughtBy: ['LIST-10.page-text'],
    rules: lenientQuery('page', (value) => (/^\d/.test(value) || value.startsWith('-') ? undefined : '0')),
  },
  {
    id: 'list-offset-overflows',
    requirement: 'LIST-11',
    defect: 'The last page number of 31 bits times the limit does not fit into 32: 500.',
    caughtBy: ['LIST-11.page-huge', 'ERR-05.no-internal-error'],
    rules: failOnQuery('page', (value) => value === '2147483647', createQueryError),
  },
  {
    id: 'list-limit-text-as-default',
    requirement: 'LIST-10',
    defect: 'A limit that is no number is ignored.',
    caughtBy: ['LIST-10.limit-text'],
    rules: lenientQuery('limit', (value) => (/^\d/.test(value) || value.startsWith('-') ? undefined : '20')),
  },
  {
    id: 'list-page-text-crashes',
    requirement: 'LIST-11',
    defect: 'A page that is no number reaches the database as NaN.',
    caughtBy: ['LIST-11.page-text', 'ERR-05.no-internal-error'],
    rules: failOnQuery('page', (value) => value === 'first', createQueryError),
  },
  {
    id: 'list-limit-text-404',
    requirement: 'LIST-11',
    defect: 'A limit that is no number matches no route: 404.',
    caughtBy: ['LIST-11.limit-text'],
    rules: failOnQuery('limit', (value) => value === 'many', rejections.noSuchRoute),
  },
  {
    id: 'list-limit-zero-crashes',
    requirement: 'LIST-11',
    defect: 'A limit of 0 divides by zero.',
    caughtBy: ['LIST-11.limit-zero', 'ERR-05.no-internal-error'],
    rules: failOnQuery('limit', (value) => value === '0', createQueryError),
  },
  {
    id: 'list-limit-negative-422',
    requirement: 'LIST-11',
    defect: 'A limit below zero is refused with 409.',
    caughtBy: ['LIST-11.limit-negative'],
    rules: failOnQuery('limit', (value) => value === '-1', rejections.actionConflict),
  },
  {
    id: 'list-page-negative-crashes',
    requirement: 'LIST-11',
    defect: 'A negative page makes a negative offset, which the database refuses: 500.',
    caughtBy: ['LIST-11.page-negative', 'ERR-05.no-internal-error'],
    rules: failOnQuery('page', (value) => value === '-1', createQueryError),
  },
];

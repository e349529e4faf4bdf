import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { createQueryError, failOnQuery, lenientQuery } from '../support/lists.ts';

/** Queries that real servers may pass to the database unchanged. */
const unparsed: readonly [word: string, query: RegExp, sentence: string][] = [
  ['limit-empty', /limit=(&|$)/, 'An empty limit becomes NaN, which the database rejects: 500.'],
  ['limit-repeated', /limit=5&limit=7/, 'A limit given twice becomes an array, which the database rejects: 500.'],
  ['limit-huge', /limit=9{20}/, 'A limit beyond the integer range overflows: 500.'],
  ['limit-fraction', /limit=2\.5/, 'A limit with a fraction is passed to the database, which rejects it: 500.'],
  ['page-fraction', /page=1\.5/, 'A page with a fraction makes a fractional offset, which the database rejects: 500.'],
  ['page-infinite', /page=Infinity/, 'An infinite page makes an offset that the database rejects: 500.'],
  ['page-huge', /page=9{20}/, 'A page beyond the integer range overflows in the offset: 500.'],
  ['sorting', /sortBy=noSuchField/, 'The sort field is passed to the database unchanged: 500.'],
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
    id: 'list-sort-quote-breaks',
    requirement: 'LIST-11',
    defect: 'The sort field becomes part of the SQL text: a quotation mark in it causes a syntax error, 500.',
    caughtBy: ['LIST-11.sorting', 'ERR-05.no-internal-error'],
    rules: failOnQuery('sortBy', (value) => value.includes("'"), createQueryError),
  },
  {
    id: 'list-sort-repeated-breaks',
    requirement: 'LIST-11',
    defect: 'A sortOrder given twice becomes an array, which has no toUpperCase: 500.',
    caughtBy: ['LIST-11.sorting', 'ERR-05.no-internal-error'],
    rules: overrideRules((base) => ({
      validateQuery: (call) => {
        if (call.request.query.getAll('sortOrder').length > 1) throw createQueryError();
        return base.validateQuery(call);
      },
    })),
  },
  {
    id: 'list-page-text-as-zero',
    requirement: 'LIST-10',
    defect: 'A page that is not a number is treated as 0.',
    caughtBy: ['LIST-10.page-text'],
    rules: lenientQuery('page', (value) => (/^\d/.test(value) || value.startsWith('-') ? undefined : '0')),
  },
  {
    id: 'list-offset-overflows',
    requirement: 'LIST-11',
    defect: 'A 31-bit page number times the limit overflows 32 bits: 500.',
    caughtBy: ['LIST-11.page-huge', 'ERR-05.no-internal-error'],
    rules: failOnQuery('page', (value) => value === '2147483647', createQueryError),
  },
  {
    id: 'list-limit-text-as-default',
    requirement: 'LIST-10',
    defect: 'A limit that is not a number is ignored.',
    caughtBy: ['LIST-10.limit-text'],
    rules: lenientQuery('limit', (value) => (/^\d/.test(value) || value.startsWith('-') ? undefined : '20')),
  },
  {
    id: 'list-page-text-crashes',
    requirement: 'LIST-11',
    defect: 'A page that is not a number reaches the database as NaN.',
    caughtBy: ['LIST-11.page-text', 'ERR-05.no-internal-error'],
    rules: failOnQuery('page', (value) => value === 'first', createQueryError),
  },
  {
    id: 'list-limit-text-404',
    requirement: 'LIST-11',
    defect: 'A limit that is not a number matches no route: 404.',
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
    defect: 'A negative limit is rejected with 409.',
    caughtBy: ['LIST-11.limit-negative'],
    rules: failOnQuery('limit', (value) => value === '-1', rejections.actionConflict),
  },
  {
    id: 'list-page-negative-crashes',
    requirement: 'LIST-11',
    defect: 'A negative page makes a negative offset, which the database rejects: 500.',
    caughtBy: ['LIST-11.page-negative', 'ERR-05.no-internal-error'],
    rules: failOnQuery('page', (value) => value === '-1', createQueryError),
  },
];

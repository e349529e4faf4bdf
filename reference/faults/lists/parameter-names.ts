import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { ListQuery } from '../../service/inputs.ts';
import type { Fault } from '../fault.ts';

/** Changes the validated query by undeclared parameters. */
const readUndeclared = (change: (query: ListQuery, parameters: URLSearchParams) => Partial<ListQuery>): RuleChange =>
  overrideRules((base) => ({
    validateQuery: (call) => {
      const query = base.validateQuery(call);
      return { ...query, ...change(query, call.request.query) };
    },
  }));

/** The first of the parameters as a number; undefined without any. */
function numberOf(parameters: URLSearchParams, ...names: readonly string[]): number | undefined {
  const given = names.map((name) => parameters.get(name)).find((value) => value !== null && /^\d+$/.test(value));
  return given === undefined || given === null ? undefined : Number(given);
}

const ignoringCase = (parameters: URLSearchParams, name: string) =>
  numberOf(parameters, ...[...parameters.keys()].filter((key) => key !== name && key.toLowerCase() === name));

export const listsParameterNamesFaults: readonly Fault[] = [
  {
    id: 'list-limit-of-any-case',
    requirement: 'LIST-05',
    defect: 'The framework binds parameters without regard to case; the maximum is validated for `limit` only.',
    caughtBy: ['LIST-05.other-names'],
    alsoRun: ['LIST-05.limit'],
    rules: readUndeclared(({ limit }, parameters) => ({ limit: ignoringCase(parameters, 'limit') ?? limit })),
  },
  {
    id: 'list-per-page-unbounded',
    requirement: 'LIST-05',
    defect: 'per_page of the first version is still read, without a maximum.',
    caughtBy: ['LIST-05.other-names'],
    rules: readUndeclared(({ limit }, parameters) => ({ limit: numberOf(parameters, 'per_page') ?? limit })),
  },
  {
    id: 'list-size-as-shown-limit',
    requirement: 'LIST-05',
    defect: 'The pager of the ORM reads size from the query; the envelope shows the limit of the validator.',
    caughtBy: ['LIST-05.other-names'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const size = numberOf(call.request.query, 'size', 'pageSize');
        return size === undefined
          ? base.page(call, invoices, query)
          : { ...base.page(call, invoices, { ...query, limit: size }), limit: query.limit };
      },
    })),
  },
  {
    id: 'list-limit-in-brackets',
    requirement: 'LIST-05',
    defect: 'A limit in brackets is parsed as an array, which the validator skips and the database reads as a number.',
    caughtBy: ['LIST-05.other-names'],
    rules: readUndeclared(({ limit }, parameters) => ({ limit: numberOf(parameters, 'limit[]') ?? limit })),
  },
  {
    id: 'list-offset-unnamed',
    requirement: 'LIST-04',
    defect: 'An offset is passed to the database; the envelope still names page 0.',
    caughtBy: ['LIST-04.other-names'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const skipped = numberOf(call.request.query, 'offset', 'skip') ?? 0;
        return {
          ...base.page(call, invoices.slice(skipped), query),
          total: invoices.length,
          totalPages: Math.ceil(invoices.length / query.limit),
        };
      },
    })),
  },
  {
    id: 'list-page-of-any-case-unnamed',
    requirement: 'LIST-04',
    defect: 'The framework binds `Page` as the page; the envelope repeats the parameter `page`.',
    caughtBy: ['LIST-04.other-names'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const page = ignoringCase(call.request.query, 'page') ?? query.page;
        return { ...base.page(call, invoices, { ...query, page }), page: query.page };
      },
    })),
  },
];

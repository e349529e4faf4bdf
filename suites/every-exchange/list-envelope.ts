import {
  type ApiResponse,
  bodyMember,
  describeResponse,
  describeResponsePart,
  isObject,
  listItems,
} from '../../helpers/rules/response-parts.ts';
import {
  type ExchangeRule,
  type Finding,
  isList,
  type Ruling,
  ruling,
  statelessRule,
} from '../../helpers/rules/rule-vocabulary.ts';
import type { Expectation } from '../../specs/formats/expectation.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** The number that a query requests. Null for none, for several, and for one beyond the safe integers. */
function requestedNumber({ request }: ApiResponse, name: string): number | null {
  const values = new URLSearchParams(request.path.split('?')[1]).getAll(name);
  const [value] = values;
  if (values.length !== 1 || value === undefined || !/^\d+$/.test(value)) return null;
  return Number.isSafeInteger(Number(value)) ? Number(value) : null;
}

type EnvelopeRule = (response: ApiResponse, member: (name: string) => unknown) => Ruling;

function envelopeRule(id: CheckId, rule: EnvelopeRule): ExchangeRule {
  return statelessRule(id, isList, (response) => rule(response, (name) => bodyMember(response, name)));
}

/** `field`: the member that a report marks. `filter`: the jq condition that a script tests, where `given` holds. */
interface Tested {
  field: string;
  filter: string;
  given?: string;
}

function envelopeFinding(
  response: ApiResponse,
  reason: string,
  expected: string,
  { field, filter, given }: Tested,
): Finding {
  const shown =
    isObject(response.json) && Array.isArray(response.json.items)
      ? describeResponsePart(response, { ...response.json, items: `${listItems(response).length} records` })
      : describeResponse(response);
  return {
    reason: `the response to ${response.requestLine} ${reason}`,
    expected: `${expected} (Paged list envelope)`,
    actual: shown,
    expectation: {
      ...(given !== undefined && { given }),
      status: 'success',
      body: filter,
      fields: [{ path: [field] }],
    },
  };
}

/** A jq condition: the member is an integer from 0 on. */
const countFilter = (name: string) =>
  `(.${name} | type) == "number" and .${name} >= 0 and .${name} == (.${name} | floor)`;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const itemsRule = envelopeRule('LIST-01.items', (response, member) => {
  const list = member('items');
  return ruling(Array.isArray(list) && list.every(isObject), () =>
    envelopeFinding(response, 'has no array of records in items', 'items: an array of records', {
      field: 'items',
      filter: '(.items | type) == "array" and all(.items[]; type == "object")',
    }),
  );
});

const totalRule = envelopeRule('LIST-02.total', (response, member) =>
  ruling(isCount(member('total')), () =>
    envelopeFinding(
      response,
      `has total ${JSON.stringify(member('total'))}`,
      'total: an integer, the number of records',
      { field: 'total', filter: countFilter('total') },
    ),
  ),
);

const totalPagesRule = envelopeRule('LIST-03.total-pages', (response, member) => {
  const [count, limit, pages] = [member('total'), member('limit'), member('totalPages')];
  // Other rules judge total and limit, so one cause has one failure.
  if (!isCount(count) || !isCount(limit) || limit === 0) return null;
  const right = Math.ceil(count / limit);
  // The contract leaves open whether an empty list has no page or one.
  const kept = isCount(pages) && (pages === right || (count === 0 && pages === 1));
  return ruling(kept, () =>
    envelopeFinding(
      response,
      `has totalPages ${JSON.stringify(pages)} for total ${count} and limit ${limit}`,
      `totalPages: ${right}`,
      {
        field: 'totalPages',
        filter: '.totalPages == (.total / .limit | ceil) or (.total == 0 and .totalPages == 1)',
        // Without several pages, a wrong division does not show.
        ...(right > 1 && { given: '.total > .limit' }),
      },
    ),
  );
});

const pageRule = envelopeRule('LIST-04.page', (response, member) => {
  const [served, requested, pages] = [member('page'), requestedNumber(response, 'page'), member('totalPages')];
  // For a page past the end, a server may return the last one, if the envelope says so. A JSON number gives an index beyond the
  // safe integers only approximately.
  const behind = requested !== null && isCount(pages) && requested >= pages;
  const clamped = behind && (Number(served) < requested || !Number.isSafeInteger(requested));
  // Number.isInteger, because a server may repeat a requested index beyond the safe integers.
  const kept =
    Number.isInteger(served) && Number(served) >= 0 && (requested === null || served === requested || clamped);
  return ruling(kept, () =>
    envelopeFinding(
      response,
      `has page ${JSON.stringify(served)}`,
      requested === null ? 'page: the zero-based index of the served page' : `page: ${requested}, the requested index`,
      {
        field: 'page',
        filter:
          requested === null
            ? countFilter('page')
            : `.page == ${requested} or (${countFilter('page')} and .page < ${requested} and .totalPages <= ${requested})`,
      },
    ),
  );
});

const limitRule = envelopeRule('LIST-05.limit', (response, member) => {
  const applied = member('limit');
  const shown = listItems(response).length;
  // For limit=0, a server may apply limit 0.
  const least = requestedNumber(response, 'limit') === 0 ? 0 : 1;
  const kept = isCount(applied) && applied >= least && applied <= 100 && shown <= applied;
  return ruling(kept, () =>
    envelopeFinding(
      response,
      `has limit ${JSON.stringify(applied)} and ${shown} records`,
      'limit: the applied size, 1 to 100, and no more items than that',
      {
        field: 'limit',
        filter: `${countFilter('limit')} and .limit >= ${least} and .limit <= 100 and (.items | length) <= .limit`,
      },
    ),
  );
});

const uniqueRecordsRule = envelopeRule('LIST-08.once', (response) => {
  const ids = listItems(response).flatMap(({ id }) =>
    typeof id === 'string' || typeof id === 'number' ? [String(id)] : [],
  );
  if (ids.length === 0) return null;
  const again = new Set(ids).size < ids.length ? ids.find((id, at) => ids.indexOf(id) < at) : undefined;
  return ruling(again === undefined, () =>
    envelopeFinding(response, `shows invoice ${again} more than once`, 'items: each record once', {
      field: 'items',
      filter: '(.items | map(.id) | unique | length) == (.items | length)',
    }),
  );
});

/** A jq filter: the invoices in a list in which the organization is neither seller nor buyer. */
const foreignInvoices = (own: string) =>
  `.items[] | select([.sellerOrganizationId, .buyerOrganizationId] | map(tostring | ascii_downcase) | index(${JSON.stringify(own.toLowerCase())}) | not)`;

function onlyOwnInvoices(own: string, foreignId: unknown, at: number): Expectation {
  return {
    status: 'success',
    // With the id, a script creates the foreign invoice itself if the kit created it.
    ...(typeof foreignId === 'string' && { body: `all(.items[]; .id != ${JSON.stringify(foreignId)})` }),
    wrong: foreignInvoices(own),
    fields: [{ path: ['items', at] }],
  };
}

const ownInvoicesRule: ExchangeRule = {
  id: 'LIST-09.only-own',
  whenNeverApplicable: 'blocked',
  appliesTo: isList,
  start:
    ({ organizationOf }) =>
    (response) => {
      if (!response.request.actor) return null;
      const own = organizationOf(response.request.actor);
      const records = listItems(response);
      if (own === undefined || records.length === 0) return null;
      const isOwn = (id: unknown) => id === own || String(id).toLowerCase() === own.toLowerCase();
      const at = records.findIndex(
        ({ sellerOrganizationId, buyerOrganizationId }) => !isOwn(sellerOrganizationId) && !isOwn(buyerOrganizationId),
      );
      const foreign = records[at];
      return ruling(foreign === undefined, () => ({
        reason: `the response to ${response.requestLine} shows ${response.request.actorLabel} an invoice in which the caller's organization is neither seller nor buyer`,
        expected: `only invoices of organization ${own} (List invoices: the caller sees its own organization's invoices)`,
        actual: describeResponsePart(response, foreign),
        expectation: onlyOwnInvoices(own, foreign?.id, at),
      }));
    },
};

/** Exchange rules for the envelope of every list of the run. */
export const listEnvelopeRules: readonly ExchangeRule[] = [
  itemsRule,
  totalRule,
  totalPagesRule,
  pageRule,
  limitRule,
  uniqueRecordsRule,
  ownInvoicesRule,
];

import {
  type ApiResponse,
  describeResponsePart,
  invoicesOf,
  isSuccess,
  type Operation,
} from '../../helpers/rules/response-parts.ts';
import {
  type BreachCase,
  type ExchangeRule,
  environmentOf,
  showsInvoices,
} from '../../helpers/rules/rule-vocabulary.ts';

const FINAL_STATES: readonly unknown[] = ['SETTLED', 'CANCELLED'];

/** Only these show the present state: a replay shows an earlier one, and an action may show the state that it will reach. */
const READ_OPERATIONS: ReadonlySet<Operation> = new Set(['list', 'read']);

/** A replica may show a change this many times later than the target file says. */
const LAG_FACTOR = 2;
const MIN_LAG_MS = 1000;

interface FinalInvoice {
  status: unknown;
  /** The response that first showed it in this state. */
  requestLine: string;
  sentAt: number;
}

interface ReopenedInvoice extends BreachCase {
  sentAt: number;
}

/** Lists and reads may be served from different copies of the data. */
const placeOf = ({ request }: ApiResponse, key: string): string => `${request.operation} ${key}`;

/**
 * A SETTLED or CANCELLED invoice keeps its state in every later list and read, also an invoice of other clients. A response to
 * the same operation that shows the final state again takes the doubt back, because copies of the data may differ.
 */
const finalStateRule: ExchangeRule = {
  id: 'LIFE-12.every-response',
  whenNeverApplicable: 'not-applicable',
  // A reset ends all invoices, and demonstration data may return with the same ids.
  appliesTo: (response) => showsInvoices(response) || response.request.operation === 'reset',
  start: ({ changedRecords, settleWithinMs }) => {
    const lagMs = Math.max(MIN_LAG_MS, LAG_FACTOR * settleWithinMs);
    const finals = new Map<string, FinalInvoice>();
    const reopened = new Map<string, ReopenedInvoice>();

    const judge = (response: ApiResponse, key: string, record: Record<string, unknown>): void => {
      const { status } = record;
      const { requestLine, sentAt, exchange } = response;
      const known = finals.get(key);
      if (!known && FINAL_STATES.includes(status)) finals.set(key, { status, requestLine, sentAt });
      if (!known || typeof status !== 'string') return;
      const place = placeOf(response, key);
      const doubt = reopened.get(place);
      if (known.status === status) {
        if (doubt && sentAt >= doubt.sentAt) reopened.delete(place);
        return;
      }
      if (doubt || sentAt - known.sentAt <= lagMs) return;
      const seconds = ((sentAt - known.sentAt) / 1000).toFixed(1);
      const finding = {
        reason: `the response to ${requestLine} shows invoice ${String(record.id)} as ${status}, ${seconds} s after it was ${String(known.status)} in the response to ${known.requestLine}`,
        expected: `status ${String(known.status)}, because an invoice moves only until it is settled or cancelled (What the service does, rule 3)`,
        actual: describeResponsePart(response, record),
      };
      reopened.set(place, { finding, exchange, sentAt });
    };

    return {
      evaluate: (response) => {
        if (response.request.operation === 'reset') {
          if (isSuccess(response)) finals.clear();
          return null;
        }
        const environment = environmentOf(response.request);
        if (environment === null || !READ_OPERATIONS.has(response.request.operation)) return null;
        const keyOf = (record: Record<string, unknown>) => `${environment} ${String(record.id)}`;
        for (const { record } of changedRecords(response)) judge(response, keyOf(record), record);
        const all = invoicesOf(response).map(({ record }) => record);
        // An unchanged record takes a doubt back, too.
        for (const record of reopened.size > 0 ? all : [])
          if (reopened.has(placeOf(response, keyOf(record)))) judge(response, keyOf(record), record);
        return all.some((record) => finals.has(keyOf(record))) ? 'kept' : null;
      },
      atEnd: () => [...reopened.values()],
    };
  },
};

export const finalStateRules: readonly ExchangeRule[] = [finalStateRule];

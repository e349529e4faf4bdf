import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../engine/evidence/redactor.ts';
import { type ApiResponse, describeResponse as inWords } from '../../../engine/model/messages.ts';
import { describeRequest } from '../../../helpers/assert/expect.ts';
import { invoiceFieldRules } from '../../../suites/every-exchange/invoice-fields.ts';
import { invoice, listAnswer, received } from '../support/responses.ts';

const SECRET = 'Zq8-secret-of-the-seller-7h2';
const redactor = new Redactor();
redactor.addSecret(SECRET, 'seller.secret');

function known(response: ApiResponse): ApiResponse {
  return { ...response, mask: (text) => redactor.mask(text) };
}

/** The part of a response that a message shows. */
const MESSAGES: Record<string, (text: string) => string> = {
  'its body': (text) => inWords(known(received({ status: 409, text }))),
  'its Location': (text) => inWords(known(received({ status: 307, headers: [['location', text]] }))),
  'the body that was sent': (text) => describeRequest({ ...known(received({})), sentBody: text }),
  'the record that breaks a rule': (text) => {
    const response = known(listAnswer([invoice({ currency: 1, description: text })]));
    const [rule] = invoiceFieldRules.flatMap(({ id, start }) => (id === 'REC-05.currency' ? [start({} as never)] : []));
    const finding = typeof rule === 'function' ? rule(response) : null;
    return finding === null || finding === 'kept' ? '' : finding.actual;
  },
};

describe.each(Object.entries(MESSAGES))('a message that shows a part of %s', (_, message) => {
  test('never contains the beginning of a secret, for any cut', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 420 }),
        fc.constantFrom(SECRET, encodeURIComponent(SECRET), `\\u005a${SECRET.slice(1)}`),
        (before, form) => {
          const shown = message(`${'.'.repeat(before)}${form}${'.'.repeat(500)}`);
          expect(shown).toContain('…');
          expect(shown).not.toContain(SECRET.slice(0, 5));
          expect(shown).not.toContain('\\u005aq8-s');
        },
      ),
      { numRuns: 400 },
    );
  });

  test('shows a text that only begins like a secret unchanged', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: SECRET.length - 1 }), (length) => {
        const start = SECRET.slice(0, length);
        const text = start.repeat(500);
        const shown = message(text);
        expect(shown).toContain('…');
        expect(shown).toContain(text.slice(0, 150));
        expect(shown).not.toContain('<seller.secret>');
      }),
    );
  });
});

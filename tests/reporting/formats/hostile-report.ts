import type { JournalRecord } from '../../../specs/formats/journal.ts';
import type { Report } from '../../../specs/formats/report.ts';
import {
  catalogue,
  everyCheck,
  exchange,
  footer,
  header,
  leftover,
  observation,
  reportOf,
  response,
  result,
  target,
} from '../journal/journal-builders.ts';

/** Begins every piece of hostile text, so that a test can find it. */
export const MARK = 'EVIL';

const PIECES = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  "' onmouseover='alert(1)",
  '--><!-- ]]><![CDATA[ &amp; &#x41; &bogus;',
  '\u001b[31mred\u001b[0m\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007 \u009b31m',
  '\u202egnp.exe\u2066\u2069 zero\u200bwidth\ufeff \u{e0041}',
  'lone \ud800 and \udc00, nul \u0000, bell \u0007, \ufffe\uffff \u0085 \u2028 \u2029',
  '``` \n````\n~~~\n# heading\n| a | b |\n[link](http://evil.example) @somebody #1 **bold** <details>',
  '\\| \\` | `` ` ``',
  '\n::error::forged\n##vso[task.complete]\n##[error]forged\n::stop-commands::x',
];

/** Every harmful text that a server may send. */
export const HOSTILE = PIECES.map((piece) => `${MARK}${piece}`).join(' ');

/** A report of a target that sends harmful text in every part that a report shows. */
export function hostileReport(): Promise<Report> {
  return reportOf(hostileRecords());
}

/** The journal of that report. */
export function hostileRecords(): JournalRecord[] {
  const [first = '', second = '', third = '', fourth = ''] = everyCheck;
  const asked = exchange('e1', {
    label: HOSTILE,
    request: {
      method: 'POST',
      url: `https://example.com/${HOSTILE}`,
      headers: [[`X-${HOSTILE}`, HOSTILE]],
      body: HOSTILE,
    },
    response: { ...response(JSON.stringify({ [HOSTILE]: [HOSTILE, 1] })), headers: [[HOSTILE, HOSTILE]] } as ReturnType<
      typeof response
    >,
  });
  const unanswered = exchange('e2', { response: null, failure: { kind: HOSTILE, message: HOSTILE } });
  const told = {
    reason: HOSTILE,
    expected: HOSTILE,
    actual: HOSTILE,
    exchanges: ['e2', 'e1'],
    decisive: ['e1'],
    expectation: { status: [401], body: HOSTILE },
  };
  return [
    header({
      target: {
        name: HOSTILE,
        baseUrl: `https://${HOSTILE}`,
        implementation: { vendor: HOSTILE, product: HOSTILE, version: HOSTILE },
        allow: { ...target.allow, productionWrites: true },
        digest: HOSTILE,
        notOffered: [HOSTILE],
        simulatesWithdrawals: true,
      },
      catalogue: { digest: HOSTILE, requirements: [...catalogue] },
      excluded: [{ check: first, allowance: HOSTILE, reason: HOSTILE }],
    }),
    asked,
    unanswered,
    result(first, 'fail', told),
    result(second, 'error', told),
    result(third, 'blocked', { ...told, blockedBy: HOSTILE }),
    result(fourth, 'warn', told),
    observation(HOSTILE, { [HOSTILE]: HOSTILE }, HOSTILE),
    leftover({ what: HOSTILE, id: HOSTILE, reason: HOSTILE }),
    footer({ interrupted: HOSTILE }),
  ];
}

/** Characters that act on the reader's screen: controls, bidirectional marks, zero widths, lone surrogates. */
export const ACTIVE = /[^\P{C}\n\t]|[\u2028\u2029]/u;

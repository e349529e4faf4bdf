import { consoleSummary } from '../../reporting/formats/console.ts';
import { formats, renderReport } from '../../reporting/formats/formats.ts';
import { curlCommand } from '../../reporting/text/curl.ts';
import { escapeControlCharacters, escapeForLog } from '../../reporting/text/escape-control-characters.ts';
import type { CheckReport, Report } from '../../specs/report.ts';

type Exchange = Report['evidence'][number];

/** Number of characters that identify a body. */
const START = 40;
const COMMAND = 'curl -i -sS';
/** Number of characters that identify a command line. */
const COMMAND_START = 300;

/** Parts of the description of a failed check that its decisive exchange does not support. */
export function contradictionsOf(report: Report): string[] {
  const texts = textsOf(report);
  return report.checks
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .flatMap((check) => {
      const exchange = report.evidence.find(({ id }) => id === check.decisive[0]);
      const wrong = exchange === undefined ? ['names no exchange'] : contradictions(check, exchange, texts);
      return wrong.map((each) => `${check.id}: ${each}`);
    });
}

function contradictions(check: CheckReport, exchange: Exchange, texts: ReadonlyMap<string, string>): string[] {
  const { request, response } = exchange;
  const { pathname, search } = new URL(request.url);
  const line = `${request.method} ${pathname}${search}`;
  const [first] = /\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \/\S*/.exec(check.reason) ?? ['no request'];
  const body = response?.body.slice(0, START) || (response === null ? 'no answer' : 'empty body');
  const status = String(response?.status ?? 'no answer');
  return [
    ...(first.startsWith(line) ? [] : [`the reason speaks of ${first}, the exchange is ${line}`]),
    ...(check.actual.startsWith(status) ? [] : [`actual is ${check.actual.slice(0, 80)}, the exchange has ${status}`]),
    ...(check.actual.includes(body) ? [] : [`actual is ${check.actual.slice(0, 80)}, the exchange has ${body}`]),
    ...withoutReproduction(check, exchange, texts),
  ];
}

/** The formats that show further curl lines in the description of the check. */
function withoutReproduction(check: CheckReport, exchange: Exchange, texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([format, text]) => {
    // The console shows warnings in one line, without a request.
    if (format === 'console' && check.verdict === 'warn') return [];
    const { begins, ends } = PLACES[format as keyof typeof PLACES];
    const start = text.indexOf(begins(check));
    const end = text.indexOf(ends, start + 1);
    const account = text.slice(start, end === -1 ? undefined : end);
    const lines = account.split(COMMAND).slice(1);
    const whole =
      format === 'console' ? escapeForLog(curlCommand(exchange)) : escapeControlCharacters(curlCommand(exchange));
    const expected = whole.slice(COMMAND.length, COMMAND_START);
    if (lines.length === 1 && lines[0]?.startsWith(expected)) return [];
    return [`${format} repeats ${lines.length} exchanges, the first is ${lines[0]}, not ${expected}`];
  });
}

/** The description of a check in each format. */
const PLACES = {
  junit: { begins: ({ id }: CheckReport) => `name="${id} `, ends: '</testcase>' },
  markdown: { begins: ({ id }: CheckReport) => `### \`${id}\``, ends: '\n##' },
  html: {
    begins: ({ id, verdict }: CheckReport) => `<article class="card ${verdict}" id="${id}"`,
    ends: '</article>',
  },
  console: { begins: ({ id }: CheckReport) => `FAIL ${id} `, ends: '\n\n' },
};

function textsOf(report: Report): ReadonlyMap<string, string> {
  return new Map([
    ['junit', unescapedMarkup(renderReport(formats.junit, report))],
    ['markdown', renderReport(formats.markdown, report)],
    ['html', unescapedMarkup(renderReport(formats.html, report))],
    ['console', consoleSummary(report, { color: false, width: 10_000, reportPath: 'report.html' })],
  ]);
}

function unescapedMarkup(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

import { consoleSummary } from '../../reporting/formats/console.ts';
import { formats, renderReport } from '../../reporting/formats/formats.ts';
import { curlCommand } from '../../reporting/text/curl.ts';
import { escapeControlCharacters, escapeForLog } from '../../reporting/text/escape-control-characters.ts';
import type { CheckReport, Report } from '../../specs/formats/report.ts';

type Exchange = Report['evidence'][number];

/** Number of characters that identify a body. */
const START = 40;
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

/** The formats that do not name the script of the check, or without a script do not repeat its exchange. */
function withoutReproduction(check: CheckReport, exchange: Exchange, texts: ReadonlyMap<string, string>): string[] {
  const { id, reproduction } = check;
  if (reproduction === null) return ['it has neither a script nor a reason for its absence'];
  if (reproduction.script !== null) {
    const missing = [...texts].filter(([, text]) => !text.includes(`reproduce/${id}.sh`)).map(([format]) => format);
    const isRepeated = reproduction.script.includes(`--request ${exchange.request.method} `);
    return [
      ...missing.map((format) => `${format} does not name the script`),
      ...(isRepeated ? [] : [`the script sends no ${exchange.request.method}`]),
    ];
  }
  const command = curlCommand(exchange);
  return [...texts].flatMap(([format, text]) => {
    const whole = format === 'console' ? escapeForLog(command) : escapeControlCharacters(command);
    return text.includes(whole.slice(0, COMMAND_START)) ? [] : [`${format} does not repeat ${whole.slice(0, 80)}`];
  });
}

/** The formats that describe every failure in full, and the console with each failure as the only one of its cause. */
function textsOf(report: Report): ReadonlyMap<string, string> {
  const failures = report.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);
  const separate = { ...report, causes: [], unexplained: failures };
  return new Map([
    ['junit', unescapedMarkup(renderReport(formats.junit, report))],
    ['html', unescapedMarkup(renderReport(formats.html, report))],
    ['console', consoleSummary(separate, { color: false, width: 10_000, reportPath: 'report.html' })],
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

import { createHash } from 'node:crypto';
import { derivationOf } from '../../specs/catalogue/requirement.ts';
import type {
  CheckReport,
  CustomAreaReport,
  CustomCheckReport,
  Report,
  RequirementReport,
} from '../../specs/formats/report.ts';
import type { FullExchange } from '../journal/evidence.ts';
import { customSuiteName } from '../report/custom-areas.ts';
import { createReportView, type ReportView } from '../report/report-view.ts';
import { escapeControlCharacters, escapeJson } from '../text/escape-control-characters.ts';
import { derivationText, placeText } from '../text/requirement-text.ts';

/** A file of the folder that Allure reads. */
export interface AllureFile {
  readonly name: string;
  readonly content: string;
}

const STATUSES: Record<CheckReport['verdict'], string> = {
  fail: 'failed',
  error: 'broken',
  blocked: 'skipped',
  warn: 'passed',
  pass: 'passed',
  'not-applicable': 'skipped',
};

const CATEGORIES = [
  { name: 'Breaches of required requirements', matchedStatuses: ['failed'], messageRegex: '^(?!custom check: ).*' },
  { name: 'Failed custom checks', matchedStatuses: ['failed'], messageRegex: '^custom check: .*' },
  { name: 'Internal errors of the kit', matchedStatuses: ['broken'], messageRegex: '^(?!custom check: ).*' },
  { name: 'Errors of custom checks', matchedStatuses: ['broken'], messageRegex: '^custom check: .*' },
  { name: 'Blocked', matchedStatuses: ['skipped'], messageRegex: '^blocked: .*' },
  { name: 'Not applicable', matchedStatuses: ['skipped'], messageRegex: '^not applicable: .*' },
  { name: 'Breaches of implied requirements', matchedStatuses: ['passed'], messageRegex: '^warning: .*' },
];

/** The results of a run for Allure 3: one per check and per custom check, with its deciding request and response and its script as attachments. */
export function* allureFiles(report: Report): Generator<AllureFile, void, undefined> {
  const view = createReportView(report);
  for (const check of report.checks) {
    const attachments = [...attachmentsOf(check, view)];
    for (const { source, content } of attachments) yield { name: source, content };
    const links = attachments.map(({ name, source, type }) => ({ name, source, type }));
    const result = allureResult(check, report, view, links);
    yield resultFile(result);
  }
  for (const area of report.custom) yield* customResults(area, report).map(resultFile);
  yield { name: 'environment.properties', content: environmentProperties(report) };
}

function resultFile(result: { readonly uuid: string }): AllureFile {
  return { name: `${result.uuid}-result.json`, content: `${escapeJson(JSON.stringify(result))}\n` };
}

/** `allurerc.json`: the title and the categories. Allure 3 reads it from the working directory, or from the file after `--config`. */
export function allureConfiguration({ kit, target }: Report): string {
  // Suite and epic already show these.
  const configuration = {
    name: `${target.name}, ${kit.name}`,
    hideLabels: ['area', 'requirement'],
    categories: CATEGORIES,
  };
  return `${escapeJson(JSON.stringify(configuration, null, 2))}\n`;
}

interface Attachment {
  readonly name: string;
  readonly source: string;
  readonly type: string;
  readonly content: string;
}

/** `Create invoice, rule 4: The amount is a decimal string.`, and the derived rule that the check judges. */
function sourceText(requirement: RequirementReport, check: string): string {
  const { place, statement } = requirement;
  const derivation = derivationOf(requirement, check);
  return `${placeText(place)}: ${statement}${derivation === undefined ? '' : `\n\nDerived: ${derivationText(derivation)}`}`;
}

function allureResult(check: CheckReport, report: Report, view: ReportView, attachments: readonly object[]) {
  const requirement = view.requirementOf(check);
  const area = requirement?.area ?? check.requirement;
  const period = periodOf(check, area, report);
  const details = statusDetails(check);
  const known = view.knownFailure(check);
  return {
    ...describedResult(check, report, {
      suite: [area, check.requirement],
      source: requirement && sourceText(requirement, check.id),
      labels: {
        area,
        requirement: check.requirement,
        level: check.level,
        epic: area,
        feature: `${check.requirement} ${requirement?.statement ?? ''}`.trim(),
        severity: check.level === 'required' ? 'critical' : 'minor',
      },
    }),
    statusDetails: { ...details, ...(known && { known: true }) },
    links: known ? [{ name: known.reason, url: known.issue, type: 'issue' }] : [],
    steps: check.verdict === 'warn' ? [warningStep(details, period)] : [],
    attachments,
    ...period,
  };
}

/** They run after the checks of the contract, so their period ends with the run. */
function customResults({ area, requirements }: CustomAreaReport, report: Report) {
  const stop = Date.parse(report.run.finishedAt);
  return requirements.flatMap(({ id, place, statement, checks }) =>
    checks.map((check) => {
      const { message = '', trace } = statusDetails(check);
      return {
        ...describedResult(check, report, {
          suite: [customSuiteName(area), id],
          source: `${place}: ${statement}`,
          labels: { requirement: id, epic: customSuiteName(area), feature: `${id} ${statement}` },
        }),
        statusDetails: {
          ...(message !== '' && { message: isBroken(check) ? `custom check: ${message}` : message }),
          ...(trace && { trace }),
        },
        start: stop - Math.round(check.durationMs),
        stop,
      };
    }),
  );
}

function isBroken({ verdict }: CustomCheckReport): boolean {
  return verdict === 'fail' || verdict === 'error';
}

interface Description {
  /** The suite, and the suite in it. */
  readonly suite: readonly [string, string];
  /** The sentence that the check judges, after its place. */
  readonly source: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

function describedResult(
  check: CheckReport | CustomCheckReport,
  { run, kit }: Report,
  { suite, source, labels }: Description,
) {
  const [parentSuite, ownSuite] = suite;
  const all = { ...labels, parentSuite, suite: ownSuite, framework: kit.name };
  return {
    uuid: uuidOf(`${run.id} ${check.id}`),
    historyId: createHash('md5').update(check.id).digest('hex'),
    testCaseId: createHash('md5').update(check.id).digest('hex'),
    fullName: check.id,
    titlePath: suite,
    name: `${check.id} ${check.title.replaceAll('`', '')}`,
    description: source === undefined ? check.title : `${check.title}\n\n${source}`,
    status: STATUSES[check.verdict],
    stage: 'finished',
    labels: Object.entries(all).map(([name, value]) => ({ name, value })),
    links: [],
    parameters: [],
    steps: [],
    attachments: [],
  };
}

/** The report knows when an area began, and the duration of a check. */
function periodOf({ durationMs }: CheckReport, area: string, { run, timings }: Report) {
  const start = Date.parse(run.startedAt) + Math.round(timings.areas.find((each) => each.area === area)?.fromMs ?? 0);
  const end = Math.max(start, Date.parse(run.finishedAt));
  return { start, stop: Math.min(end, start + Math.round(durationMs)) };
}

/** Allure shows no message of a passed test, but its steps. */
function warningStep(
  { message = '', trace = '' }: StatusDetails,
  { start, stop }: { readonly start: number; readonly stop: number },
) {
  return {
    name: message,
    status: 'failed',
    statusDetails: { message: [message, trace].join('\n') },
    stage: 'finished',
    steps: [],
    attachments: [],
    parameters: [],
    start,
    stop,
  };
}

const REASON_PREFIXES: Partial<Record<CheckReport['verdict'], string>> = {
  blocked: 'blocked: ',
  'not-applicable': 'not applicable: ',
  warn: 'warning: ',
};

interface StatusDetails {
  readonly message?: string;
  readonly trace?: string;
}

function statusDetails({ verdict, reason, expected, actual }: CheckReport | CustomCheckReport): StatusDetails {
  const message = reason === '' ? '' : `${REASON_PREFIXES[verdict] ?? ''}${reason}`;
  const trace = [expected && `expected: ${expected}`, actual && `actual: ${actual}`].filter((line) => line !== '');
  return { ...(message !== '' && { message }), ...(trace.length > 0 && { trace: trace.join('\n') }) };
}

function* attachmentsOf(check: CheckReport, view: ReportView): Generator<Attachment, void, undefined> {
  if (check.verdict === 'pass' || check.verdict === 'not-applicable') return;
  const deciding = view.decisiveExchange(check);
  const attach = (name: string, extension: string, type: string, content: string): Attachment => ({
    name,
    source: `${uuidOf(`${check.id} ${name}`)}-attachment.${extension}`,
    type,
    content,
  });
  if (deciding) {
    yield attach('request', 'txt', 'text/plain', requestText(deciding));
    if (deciding.response) yield attach('response', 'txt', 'text/plain', responseText(deciding.response));
  }
  if (check.reproduction?.script != null) yield attach('reproduce', 'sh', 'text/plain', check.reproduction.script);
}

function requestText({ request: { method, url, headers, body } }: FullExchange): string {
  return message(`${method} ${url}`, headers, body ?? '');
}

function responseText({ status, headers, body }: NonNullable<FullExchange['response']>): string {
  return message(String(status), headers, body);
}

function message(first: string, headers: FullExchange['request']['headers'], body: string): string {
  const lines = [first, ...headers.map(([name, value]) => `${name}: ${value}`), '', body];
  return `${escapeControlCharacters(lines.join('\n'))}\n`;
}

/** Allure reads Java properties: a backslash and a line break would end a value. */
function environmentProperties({ kit, target, run, headline, catalogue }: Report): string {
  const values = {
    Target: target.name,
    'Base.URL': target.baseUrl,
    Verdict: headline,
    Profile: run.profile,
    Seed: String(run.seed),
    Kit: `${kit.name} ${kit.version}`,
    Catalogue: catalogue.digest,
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${escapeControlCharacters(value).replace(/[\\\n]/g, ' ')}\n`)
    .join('');
}

/** The same UUID for the same text, so that a report that is written again has the same files. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

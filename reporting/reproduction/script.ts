import { derivationOf } from '../../specs/catalogue/requirement.ts';
import type { Expectation } from '../../specs/formats/expectation.ts';
import type { CheckReport, Report, RequirementReport } from '../../specs/formats/report.ts';
import type { FullExchange } from '../journal/evidence.ts';
import { curlArguments, type Substitutions, shellWord } from '../text/curl.ts';
import { escapeToSingleLine, truncate } from '../text/escape-control-characters.ts';
import { derivationText, placeText } from '../text/requirement-text.ts';
import { rerunCommand } from '../text/wording.ts';
import { type Chain, NoChain, requestIds } from './chain.ts';
import { credentialLines, derivedHeaders, derivedLine } from './credentials.ts';
import { isAccepted } from './recorded-changes.ts';
import { SHELL_FUNCTIONS } from './shell-functions.ts';

/** A failure, and the recorded exchanges that lead to it. */
export interface ReproducedFailure {
  readonly check: Pick<CheckReport, 'id' | 'title' | 'expected'>;
  readonly requirement: Pick<RequirementReport, 'id' | 'place' | 'statement' | 'derived'> | undefined;
  readonly deciding: FullExchange;
  readonly expectation: Expectation;
  readonly chain: Chain;
}

/** The parts of a journal header that a script needs. */
export interface RecordedRun {
  readonly target: Report['target'];
  readonly run: Pick<Report['run'], 'id'>;
}

const MAX_COMMENT_LENGTH = 300;
const MAX_SHOWN_LENGTH = 600;
const MAX_WRONG_PARTS = 3;
/** After a shorter time, the kit did not wait for the effect of a change. */
const MIN_PAUSE_MS = 300;
const MAX_PAUSE_SECONDS = 2;
const MAX_LOOK_PAUSE_SECONDS = 10;

/**
 * A POSIX shell script that repeats the experiment of a failed check from its first request, with curl and jq. It exits with 0 if the
 * response is again not as expected, with 1 if it is as expected, and with 2 if the result is inconclusive. Throws NoChain if a request cannot be
 * repeated.
 */
export function reproductionScript(failure: ReproducedFailure, { target, run }: RecordedRun): string {
  const { chain } = failure;
  const substitutions: Substitutions = {
    secrets: target.secretVariables ?? {},
    texts: [
      ...chain.values.map(({ value, variable }) => [value, variable] as const),
      ...freshTexts(chain, run.id.slice(0, 8)),
      [target.baseUrl.replace(/\/$/, ''), 'BASE_URL'],
    ],
  };
  return [
    '#!/bin/sh',
    ...headComment(failure, target.name),
    'set -u',
    `BASE_URL=\${BASE_URL:-${shellWord(target.baseUrl.replace(/\/$/, ''))}}`,
    ...credentialLines(chain.steps, substitutions),
    ...warningLines(chain.steps),
    ...FRESH_VALUES,
    '',
    SHELL_FUNCTIONS,
    ...stepLines(failure, substitutions),
    '',
    ...verdictLines(failure, substitutions),
    '',
  ].join('\n');
}

function headComment({ check, requirement, chain }: ReproducedFailure, target: string): string[] {
  const derivation = requirement && derivationOf(requirement, check.id);
  const lines = [
    effectsOf(chain.steps),
    `${check.id}: ${check.title}`,
    requirement === undefined ? '' : `${requirement.id} (${placeText(requirement.place)}): ${requirement.statement}`,
    derivation === undefined ? '' : `Derived: ${derivationText(derivation)}`,
    `Recorded on ${target}. Needs curl and jq.`,
    'Exit code 0: the failure is reproduced. 1: it is not. 2: inconclusive.',
    concurrentGroups(chain.steps).some((group) => group.length > 1)
      ? 'Some requests are concurrent, so it may take several tries.'
      : '',
    `To run the complete check: ${rerunCommand([check.id])}`,
  ];
  return lines
    .filter((line) => line !== '')
    .map((line) => `# ${truncate(escapeToSingleLine(line), MAX_COMMENT_LENGTH)}`);
}

/** A warning for the first line; empty if the script only creates and changes invoices. */
function effectsOf(steps: readonly FullExchange[]): string {
  const operations = new Set(steps.map(({ label }) => label.split(': ').at(-1)));
  if (operations.has('reset'))
    return 'WARNING: this script resets the sandbox. If the server issues new keys at a reset, use the latest ones.';
  const movesMoney = operations.has('treasuryWithdraw') || operations.has('settle');
  return movesMoney ? 'WARNING: this script moves money in the sandbox.' : '';
}

/** The warning, on the screen before the first request. */
function warningLines(steps: readonly FullExchange[]): string[] {
  const warning = effectsOf(steps);
  return warning === '' ? [] : [`echo ${shellWord(warning)} >&2`];
}

const FRESH_VALUES = [
  '# New in each execution, so that no requestId is used twice.',
  `RUN=$(printf '%08x' "$((($(date +%s) * 97 + $$) % 4294967296))")`,
  `RUN_UPPER=$(printf '%s' "$RUN" | tr 'a-f' 'A-F')`,
];

/** The parts of the recorded texts that must be new in each execution, with their variables. */
function freshTexts({ steps }: Chain, runMark: string): (readonly [string, string])[] {
  const texts = new Map([
    [runMark, 'RUN'],
    [runMark.toUpperCase(), 'RUN_UPPER'],
  ]);
  for (const requestId of steps.flatMap(requestIds)) {
    if (requestId.toLowerCase().includes(runMark)) continue;
    const [start] = /^[0-9a-f]{8}(?=-)/i.exec(requestId) ?? [];
    if (start === undefined) throw new NoChain('the server has already used the requestId of the experiment');
    texts.set(start, start === start.toLowerCase() ? 'RUN' : 'RUN_UPPER');
  }
  return [...texts];
}

/** Equal requests, or requests to one invoice, that were under way at the same time, in groups. */
function concurrentGroups(steps: readonly FullExchange[]): FullExchange[][] {
  const groups: FullExchange[][] = [];
  for (const step of steps) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    const isConcurrent =
      first !== undefined &&
      first.check === step.check &&
      first.request.method !== 'GET' &&
      first.request.url === step.request.url &&
      (first.request.body === step.request.body || !first.label.endsWith(': create')) &&
      Date.parse(step.at) < Date.parse(first.at) + first.durationMs;
    if (group && isConcurrent) group.push(step);
    else groups.push([step]);
  }
  return groups;
}

function stepLines(failure: ReproducedFailure, substitutions: Substitutions): string[] {
  const { steps } = failure.chain;
  let end: number | null = null;
  return concurrentGroups(steps).flatMap((group) => {
    const startMs = Date.parse(group[0]?.at ?? '');
    const gapMs = end === null ? 0 : startMs - end;
    const isLook = group[0] === failure.deciding && failure.deciding.request.method === 'GET';
    const seconds = Math.min(isLook ? MAX_LOOK_PAUSE_SECONDS : MAX_PAUSE_SECONDS, Math.ceil(gapMs / 1000));
    const isSetUpRead = group[0] !== failure.deciding && group[0]?.request.method === 'GET';
    const pause = gapMs >= MIN_PAUSE_MS && !isSetUpRead ? [`sleep ${seconds}`] : [];
    const changes = group.filter(({ request }) => request.method !== 'GET');
    if (changes.length > 0) end = Math.max(...changes.map(({ at, durationMs }) => Date.parse(at) + durationMs));
    const calls = group.map((step) => callLine(step, failure, substitutions));
    const isAlone = calls.length === 1;
    return [
      ...pause,
      ...calls.flatMap(({ before }) => before),
      ...calls.map(({ call }) => (isAlone ? call : `${call} &`)),
      ...(isAlone ? [] : ['wait']),
      ...calls.flatMap(({ after }) => after),
    ];
  });
}

function stepName(exchange: string, { steps }: Chain): string {
  return `step${steps.findIndex(({ id }) => id === exchange) + 1}`;
}

function callLine(step: FullExchange, { deciding, chain }: ReproducedFailure, substitutions: Substitutions) {
  const { response, label } = step;
  const name = stepName(step.id, chain);
  const derived = derivedHeaders(step);
  const masks = derived.map(({ mask, credential }) => [mask, credential.variable] as const);
  const words = curlArguments(step, { ...substitutions, texts: [...(substitutions.texts ?? []), ...masks] });
  const captured = chain.values.filter(({ exchange }) => exchange === step.id);
  return {
    before: derived.map(({ credential }) => derivedLine(credential, substitutions)),
    call: `${step.response === null ? 'MAY_GET_NONE=yes ' : ''}call ${name} ${shellWord(escapeToSingleLine(label))} ${brokenAtOptions(words)}`,
    after: [
      ...(step.id === deciding.id ? [] : [`${isAccepted(response) ? 'accepted' : 'rejected'} ${name}`]),
      ...captured.map(({ variable, path }) => `${variable}=$(value ${name} ${shellWord(path)}) || exit 2`),
    ],
  };
}

/** The arguments of a command with a line for each option. */
function brokenAtOptions(words: readonly string[]): string {
  return words.map((word, at) => (word.startsWith('--') || at === words.length - 1 ? `\\\n  ${word}` : word)).join(' ');
}

/** A replay long after the original may fail because of the time between them, which no script waits for. */
const MAX_REPLAY_GAP_MS = 2000;

function asExpectedLines({ deciding, expectation, chain }: ReproducedFailure): string[] {
  const original = chain.steps.find(({ id }) => id === expectation.sameAs);
  const gapMs = original === undefined ? 0 : Date.parse(deciding.at) - Date.parse(original.at);
  if (gapMs <= MAX_REPLAY_GAP_MS) return ["  echo 'NOT REPRODUCED: the response is as expected.'", '  exit 1'];
  const seconds = Math.round(gapMs / 1000);
  return [
    `  echo 'INCONCLUSIVE: the response is as expected, but the check sent the replay ${seconds} s after the original.'`,
    '  exit 2',
  ];
}

function verdictLines(failure: ReproducedFailure, { texts = [] }: Substitutions): string[] {
  const { check, deciding, expectation, chain } = failure;
  const name = stepName(deciding.id, chain);
  const recorded = deciding.response?.status ?? 0;
  const conditions = conditionsOf(expectation, name, chain, texts);
  if (conditions.length === 0) return responseLines(check.expected, name, texts);
  const text =
    expectation.sameAs === undefined ? check.expected : `the response to ${stepName(expectation.sameAs, chain)}`;
  const expected = shellWord(`Expected: ${escapeToSingleLine(truncate(text, MAX_SHOWN_LENGTH))}`, {
    texts,
    keepsMasks: true,
  });
  return [
    `printf '%s\\n' ${expected}`,
    `printf 'Actual:   %s %s\\n' "$(cat "$work/${name}.status")" "$(head -c ${MAX_SHOWN_LENGTH} "$work/${name}.body")"`,
    ...wrongLines(expectation, name, texts),
    ...unrelatedStatusLines(expectation, recorded, name),
    ...givenLines(expectation, name),
    ...controlLines(expectation, chain),
    `if ${conditions.join(' && ')}; then`,
    ...asExpectedLines(failure),
    'fi',
    `case $(cat "$work/${name}.status") in`,
    `  ${statusPattern(recorded)}) echo 'REPRODUCED: the server still fails this check.'; exit 0 ;;`,
    'esac',
    `echo 'INCONCLUSIVE: the response is neither as expected nor as recorded (${recorded}).'`,
    'exit 2',
  ];
}

/** For a deciding request that got no response: any response is as expected. */
function responseLines(text: string, name: string, texts: NonNullable<Substitutions['texts']>): string[] {
  return [
    `printf '%s\\n' ${shellWord(`Expected: ${text}`, { texts, keepsMasks: true })}`,
    `if [ "$(cat "$work/${name}.status")" = 000 ]; then`,
    "  echo 'REPRODUCED: the server still closes the connection without a response.'; exit 0",
    'fi',
    ...unrelatedStatusLines({}, 0, name),
    "echo 'NOT REPRODUCED: the server responds.'",
    'exit 1',
  ];
}

/** Statuses that say something about the credentials, the limits or the gateway, not about the requirement. */
const UNRELATED_STATUSES = [401, 429, 502, 503, 504];

function unrelatedStatusLines({ status }: Expectation, recorded: number, name: string): string[] {
  const unrelated = UNRELATED_STATUSES.filter(
    (each) => each !== recorded && !(Array.isArray(status) && status.includes(each)),
  );
  return [
    `case $(cat "$work/${name}.status") in`,
    `  ${unrelated.join('|')}) echo 'INCONCLUSIVE: check the credentials, the rate limit and the gateway.'; exit 2 ;;`,
    'esac',
  ];
}

function givenLines({ given }: Expectation, name: string): string[] {
  if (given === undefined) return [];
  return [
    `if ! holds ${name} ${shellWord(given)}; then`,
    "  echo 'INCONCLUSIVE: the sandbox no longer contains the data that this check needs. Run the check again.'",
    '  exit 2',
    'fi',
  ];
}

/** The wrong parts of a body, of which the script prints only the beginning. */
function wrongLines({ wrong }: Expectation, name: string, texts: NonNullable<Substitutions['texts']>): string[] {
  if (wrong === undefined) return [];
  const filter = shellWord(wrong, { texts, keepsMasks: true });
  return [
    `jq -c ${filter} "$work/${name}.body" 2> /dev/null | head -n ${MAX_WRONG_PARTS} | while IFS= read -r part; do`,
    `  printf 'Wrong:    %s\\n' "$part"`,
    'done',
  ];
}

function controlLines({ differentFrom }: Expectation, chain: Chain): string[] {
  if (differentFrom === undefined) return [];
  const { original, control } = differentFrom;
  return [
    `if ! different ${stepName(original, chain)} ${stepName(control, chain)}; then`,
    "  echo 'INCONCLUSIVE: the two organizations get equal responses, so the comparison says nothing.'",
    '  exit 2',
    'fi',
  ];
}

/** Another success shows a breach as well as the recorded one. */
function statusPattern(status: number): string {
  return status >= 200 && status <= 299 ? '2??' : String(status);
}

function conditionsOf(
  { status, code, body, wrong, sameAs, differentFrom }: Expectation,
  name: string,
  chain: Chain,
  texts: NonNullable<Substitutions['texts']>,
): string[] {
  const isSuccess = '($status >= 200 and $status <= 299) or $status == 303';
  return [
    ...(status === 'success' ? [isSuccess] : []),
    ...(status === 'rejection' ? [`${isSuccess} | not`] : []),
    ...(Array.isArray(status) ? [status.map((each) => `$status == ${each}`).join(' or ')] : []),
    ...(code === undefined ? [] : [`.code == ${JSON.stringify(code)}`]),
    ...(body === undefined ? [] : [body]),
    ...(wrong === undefined ? [] : [`[${wrong}] | length == 0`]),
  ]
    .map((filter) => `holds ${name} ${shellWord(filter, { texts, keepsMasks: true })}`)
    .concat(sameAs === undefined ? [] : [`same ${stepName(sameAs, chain)} ${name}`])
    .concat(differentFrom === undefined ? [] : [`different ${stepName(differentFrom.original, chain)} ${name}`]);
}

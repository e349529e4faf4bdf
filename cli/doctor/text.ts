import { is2xx } from '../../engine/model/messages.ts';
import { pluralize } from '../../reporting/text/wording.ts';
import { ACCEPTED_REVOKED_KEY } from '../output/run-warnings.ts';
import { describeEstimate } from '../run/cost-estimate.ts';
import type { ActorDiagnosis, Diagnosis, OperationDiagnosis } from './diagnosis.ts';

const LARGE_SKEW_MS = 60_000;
/** The resolution of a Date header is one second. */
const DATE_RESOLUTION_S = 2;
const TLS_LABELS = {
  trusted: 'yes, certificate trusted',
  loopback: 'no (loopback)',
  none: 'NO: keys are sent unencrypted',
};

/** A diagnosis as text, one finding per line. */
export function formatDiagnosis(diagnosis: Diagnosis): string[] {
  const { actors, operations, problems, notices, blocked, leftOut, leftovers, costs } = diagnosis;
  return [
    ...connectionLines(diagnosis),
    '',
    ...actors.map(({ actor, status, asExpected, organization, source }) => {
      const said = status === null ? 'no response' : `list returned ${status}`;
      const whose = organization ? `organization ${organization} (from ${source})` : 'organization unknown';
      return `actor        ${actor.padEnd(11)} ${said}, ${asExpected ? 'as expected' : 'UNEXPECTED'}; ${whose}`;
    }),
    '',
    ...operationLines(operations, leftovers !== null),
    '',
    ...(leftovers ?? []).map((what) => `leftover     ${what}`),
    ...problems.map((problem) => `wrong        ${problem}`),
    ...(actors.some(isAcceptedAlthoughRevoked) ? [`doubtful     ${ACCEPTED_REVOKED_KEY}`] : []),
    ...notices.map((notice) => `doubtful     ${notice}`),
    ...(actors.some(isRejectedAsRevoked) ? [`note         ${REJECTED_REVOKED_KEY}`] : []),
    ...blocked.map(({ field, checks, remedy }) => `blocked      ${checkCount(checks)}: ${field}: ${remedy}`),
    ...leftOut.map(({ reason, checks }) => `left out     ${checkCount(checks)}: ${reason}`),
    ...costs.map(
      ({ profile: name, requests, seconds, leftovers: left }) =>
        `cost         ${name.padEnd(9)} about ${requests} requests, ${describeEstimate(seconds)}; leftovers: ${pluralize(left.invoices, 'invoice')}, ${pluralize(left.withdrawals, 'withdrawal')} (${left.withdrawn} in total), ${pluralize(left.subscriptions, 'subscription')}`,
    ),
    ...(diagnosis.productionWrites
      ? ['cost         these figures leave out the checks that allow.productionWrites permits']
      : []),
    judgedLine(diagnosis),
    conclusionOf(diagnosis),
  ];
}

/** `547 of 679 checks of the full profile can run against this target; at least 120 would be blocked, 12 are left out`. */
function judgedLine({ judged, blocked, leftOut, profile }: Diagnosis): string {
  const sum = (groups: readonly { checks: number }[]) => groups.reduce((total, { checks }) => total + checks, 0);
  const [excluded, missing] = [sum(leftOut), sum(blocked)];
  const all = pluralize(judged.checks + missing + excluded, 'check');
  const others = [
    ...(missing === 0 ? [] : [`at least ${missing} would be blocked`]),
    ...(excluded === 0 ? [] : [`${excluded} ${excluded === 1 ? 'is' : 'are'} left out`]),
  ];
  const aside = others.length === 0 ? '' : `; ${others.join(', ')}`;
  return `${judged.checks} of ${all} of the ${profile} profile can run against this target${aside}`;
}

function conclusionOf({ actors, notices, exitCode, operations, blocked }: Diagnosis): string {
  if (exitCode === 0)
    return actors.some(isAcceptedAlthoughRevoked) || notices.length > 0
      ? 'ready, except for the lines marked doubtful'
      : 'ready';
  if (exitCode === 2) return 'not ready: correct the lines marked wrong; a run would judge nothing';
  if (blocked.some(({ required }) => required > 0))
    return 'incomplete: a run of this profile would end inconclusive (exit 3)';
  const named = operations.flatMap(({ operation, problem }) => (problem === null ? [] : [operation]));
  return `incomplete: a run of this profile may end inconclusive (exit 3), because of ${named.join(', ')}`;
}

/** The contract requires the same 401 for both, so nothing distinguishes them. */
const REJECTED_REVOKED_KEY =
  'actors.revoked: the server rejects this key with 401, as it rejects a key that never existed; the kit cannot tell the two apart, so make sure that the server accepted this key before it was revoked';

function isRejectedAsRevoked({ actor, status }: ActorDiagnosis): boolean {
  return actor === 'revoked' && status === 401;
}

function isAcceptedAlthoughRevoked({ actor, status }: ActorDiagnosis): boolean {
  return actor === 'revoked' && status !== null && is2xx({ status });
}

function connectionLines({ target, tls, clockSkewMs, latencyMs, productionWrites }: Diagnosis): string[] {
  const seconds = clockSkewMs === null ? null : Math.round(clockSkewMs / 1000);
  const clock =
    seconds === null
      ? 'the server sends no Date header'
      : Math.abs(seconds) <= DATE_RESOLUTION_S
        ? 'agrees with this machine'
        : `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} this machine`;
  const odd = clockSkewMs !== null && Math.abs(clockSkewMs) > LARGE_SKEW_MS ? '  (large)' : '';
  return [
    `target       ${target.name ?? ''} ${target.baseUrl}`,
    `reachable    yes, a list request takes ${Math.round(latencyMs)} ms`,
    `TLS          ${TLS_LABELS[tls]}`,
    `clock        ${clock}${odd}`,
    ...(productionWrites ? ['production   allow.productionWrites is on: a run WRITES TO PRODUCTION'] : []),
  ];
}

function operationLines(operations: readonly OperationDiagnosis[], isProbed: boolean): string[] {
  const untried = isProbed ? 'not tried' : 'not tried (use --probe)';
  const width = Math.max(...operations.map(({ request, declared }) => (request ?? declared).length));
  return operations.map(({ operation, request, declared, as, status, problem }) => {
    const tried = as === null ? '' : `  ${as}${status === null ? '' : ` ${status}`}`;
    const verdict = problem ?? (as !== null ? 'ok' : request !== null ? untried : '');
    return `operation    ${operation.padEnd(17)} ${(request ?? declared).padEnd(width)}${tried}  ${verdict}`.trimEnd();
  });
}

function checkCount(checks: number): string {
  return `${String(checks).padStart(3)} ${checks === 1 ? 'check' : 'checks'}`;
}

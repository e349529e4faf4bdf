import { requirements } from '../../../../specs/catalogue/catalogue.ts';
import type { JournalRecord } from '../../../../specs/formats/journal.ts';
import {
  deselected,
  doubled,
  isCheck,
  later,
  withCertification,
  withCheck,
  withExchange,
  withFooter,
  withHeader,
  without,
  withRun,
  withUserAgent,
} from './record-edits.ts';
import { resealed, type Tampering } from './tampering.ts';

const FAILED = 'ERR-02.error';
const PASSED = 'AUTH-01.both-missing';
const isFailure = (record: JournalRecord) => isCheck(record, FAILED);

const withoutFailedCheck = requirements.map((requirement) => ({
  ...requirement,
  checks: requirement.checks.filter(({ id }) => id !== FAILED),
}));

const isExchange = ({ kind }: JournalRecord) => kind === 'exchange';

/** The partner hides a failure and seals with its own accepted key. */
const hiddenFailures: readonly Tampering[] = [
  resealed(
    'a failed check without its record',
    /^1 check has no result in the evidence \(ERR-02\.error\)$/,
    (records) => without(records, isFailure),
    'failing',
  ),
  resealed(
    'a failed check without its record, and not selected',
    /^1 check of the profile is not part of the run \(ERR-02\.error\)$/,
    (records) => deselected(without(records, isFailure), FAILED),
    'failing',
  ),
  resealed(
    'a failed check that is not in the catalogue of the evidence',
    /^the catalogue of requirements in the evidence is not the one of this kit$/,
    (records) =>
      withHeader(deselected(without(records, isFailure), FAILED), (header) => ({
        ...header,
        catalogue: { ...header.catalogue, requirements: withoutFailedCheck },
      })),
    'failing',
  ),
  resealed(
    'a failed requirement that the catalogue of the evidence only implies',
    /^the catalogue of requirements in the evidence is not the one of this kit$/,
    (records) =>
      withHeader(withCheck(records, FAILED, { verdict: 'warn' }), (header) => ({
        ...header,
        catalogue: {
          ...header.catalogue,
          requirements: requirements.map((each) => (each.id === 'ERR-02' ? { ...each, level: 'implied' } : each)),
        },
      })),
    'failing',
  ),
  resealed(
    'a broken rule that passes',
    /^ERR-02\.error has the verdict pass, but the evidence breaks it: .* has error \{"title"/,
    (records) =>
      withCheck(records, FAILED, { verdict: 'pass', reason: '', expected: '', actual: '', expectation: null }),
    'failing',
  ),
  resealed(
    'a failed check that is blocked',
    /^1 required check could not be judged \(ERR-02\.error\)$/,
    (records) => withCheck(records, FAILED, { verdict: 'blocked', blockedBy: 'another check' }),
    'failing',
  ),
  resealed(
    'a broken rule that is not applicable',
    /^ERR-02\.error has the verdict not-applicable, but the evidence breaks it: /,
    (records) => withCheck(records, FAILED, { verdict: 'not-applicable' }),
    'failing',
  ),
  resealed(
    'a required check with a warning',
    /^1 check has a verdict that its level does not allow \(ERR-02\.error\)$/,
    (records) => withCheck(records, FAILED, { verdict: 'warn' }),
    'failing',
  ),
  resealed(
    'a failed check that the run leaves out without a reason',
    /^the run does not select the checks of its profile that the target file allows$/,
    (records) =>
      withHeader(deselected(without(records, isFailure), FAILED), (header) => ({
        ...header,
        excluded: [...header.excluded, { check: FAILED, allowance: 'reset', reason: 'not allowed' }],
      })),
    'failing',
  ),
  resealed(
    'permissions that do not fit to the checks',
    /^the run does not select the checks of its profile that the target file allows$|^\d+ checks of the profile are not part/,
    (records) =>
      withHeader(records, (header) => ({
        ...header,
        target: { ...header.target, allow: { reset: true, rateLimitProbe: true, productionWrites: true } },
      })),
  ),
  resealed(
    'a check that is selected twice',
    /^the run does not select the checks of its profile that the target file allows$/,
    (records) => withHeader(records, (header) => ({ ...header, selected: [...header.selected, PASSED] })),
  ),
  resealed('an unknown profile', /^this kit has no profile nightly$/, (records) =>
    withRun(records, { profile: 'nightly' }),
  ),
  resealed('no implementation', /^the run does not name implementation\.vendor$/, (records) =>
    withHeader(records, (header) => ({ ...header, target: { ...header.target, implementation: undefined } })),
  ),
  resealed('another program', /^the program my-kit judged the run, not invoicing-network-conformance$/, (records) =>
    withHeader(records, (header) => ({ ...header, kit: { ...header.kit, name: 'my-kit' } })),
  ),
  resealed('a base URL that is none', /^\d+ exchanges went to another server/, (records) =>
    withHeader(records, (header) => ({ ...header, target: { ...header.target, baseUrl: 'nowhere' } })),
  ),
  resealed('no exchange at all', /^the evidence contains no exchange$/, (records) => without(records, isExchange)),
  resealed(
    'an exchange that was removed',
    /^the numbers of the exchanges have gaps: exchanges were removed$/,
    (records) => without(records, (record) => record.kind === 'exchange' && record.id === 'x3'),
  ),
  resealed(
    'an exchange of the run as one of the preflight',
    /^1 exchange belongs to the preflight, but was sent after it/,
    (records) => withExchange(records, (each) => ({ ...each, id: 'p999' }), -1),
  ),
  resealed(
    'a deciding exchange that is unknown',
    /^1 check names an exchange that the evidence does not contain/,
    (records) => withCheck(records, PASSED, { decisive: ['x99999'] }),
  ),
  resealed(
    'an exchange that ends after the run',
    /^the run ends before its last exchange: the clock was turned back$/,
    (records) => withExchange(records, (each) => ({ ...each, durationMs: 1e9 }), -1),
  ),
  resealed('two ends', /^the evidence has two ends$/, (records) => [...records, ...records.slice(-1)]),
  resealed(
    'an earlier attempt that is this run',
    /^the run names an earlier attempt that did not start before it$/,
    (records) =>
      withCertification(records, {
        attempts: [
          { runId: 'later', startedAt: '2099-01-01T00:00:00.000Z', verdict: 'conformant', evidence: 'a'.repeat(64) },
        ],
      }),
  ),
  resealed('a failure', /^1 check fails \(ERR-02\.error\)$/, (records) => records, 'failing'),
];

const exchanges: readonly Tampering[] = [
  resealed('exchanges with another server', /^\d+ exchanges went to another server \(p1,/, (records) =>
    withExchange(records, (each) => ({
      ...each,
      request: { ...each.request, url: each.request.url.replace('127.0.0.1', 'reference.example.com') },
    })),
  ),
  resealed('an exchange with another port', /^1 exchange went to another server \(p1\)$/, (records) =>
    withExchange(
      records,
      (each) => ({ ...each, request: { ...each.request, url: each.request.url.replace(/:\d+\//, ':1/') } }),
      0,
    ),
  ),
  resealed('an exchange twice', /^1 exchange appears twice \(p1\)$/, (records) => doubled(records, isExchange)),
  resealed(
    'a check that names an unknown exchange',
    /^1 check names an exchange that the evidence does not contain \(AUTH-01\.both-missing\)$/,
    (records) => withCheck(records, PASSED, { exchanges: ['x999999'] }),
  ),
  resealed('exchanges of another program', /^\d+ exchanges do not carry the User-Agent of the run/, (records) =>
    withExchange(records, (each) => withUserAgent(each, 'curl/8.5.0')),
  ),
  resealed(
    'an exchange without User-Agent',
    /^1 exchange does not carry the User-Agent of the run \(p2\)$/,
    (records) => withExchange(records, (each) => ({ ...each, request: { ...each.request, headers: [] } }), 1),
  ),
  resealed('another ticket than in the requests', /^\d+ exchanges do not carry the User-Agent of the run/, (records) =>
    withCertification(records, { ticket: 'CERT-119' }),
  ),
  resealed('no ticket, but one in the requests', /^\d+ exchanges do not carry the User-Agent of the run/, (records) =>
    withCertification(records, { ticket: null }),
  ),
];

const clocks: readonly Tampering[] = [
  resealed('exchanges that are older than the run', /^\d+ exchanges are older than the run/, (records) =>
    withExchange(records, (each) => ({ ...each, at: later(each.at, -3600) })),
  ),
  resealed('a run that begins after its exchanges', /^\d+ exchanges are older than the run/, (records) =>
    withHeader(records, (header) => ({
      ...header,
      run: { ...header.run, startedAt: later(header.run.startedAt, 3600) },
    })),
  ),
  resealed(
    'a clock that goes back in the middle',
    /^1 exchange ends before the exchange that precedes it: the clock was turned back/,
    (records) => withExchange(records, (each) => ({ ...each, at: later(each.at, -5), durationMs: 0 }), 40),
  ),
  resealed(
    'an end before the last exchange',
    /^the run ends before its last exchange: the clock was turned back$/,
    (records) => withExchange(records, (each) => ({ ...each, at: later(each.at, 1800) }), -1),
  ),
  resealed('an end before the start', /^the run ends before its last exchange: the clock was turned back$/, (records) =>
    withFooter(records, { finishedAt: '2020-01-01T00:00:00.000Z' }),
  ),
  resealed('no end', /^the evidence has no end: the run stopped early, or the end was cut off$/, (records) =>
    without(records, ({ kind }) => kind === 'footer'),
  ),
  resealed('an interrupted run', /^the run was interrupted: SIGINT$/, (records) =>
    withFooter(records, { interrupted: 'SIGINT' }),
  ),
];

const selections: readonly Tampering[] = [
  resealed(
    'a check with two results',
    /^1 check has two results in the evidence \(AUTH-01\.both-missing\)$/,
    (records) => doubled(records, (record) => isCheck(record, PASSED)),
  ),
  resealed(
    'a check that was not selected',
    /^1 check was judged although the run did not select it \(AUTH-01\.both-missing\)$/,
    (records) => deselected(records, PASSED),
  ),
  resealed('a run of another command', /^the run is not one of "conformance certify"$/, (records) =>
    withHeader(records, ({ certification: _, ...header }) => header),
  ),
  resealed('a filter', /^the run used a filter \(--only\)$/, (records) => withRun(records, { filtered: ['AUTH-01'] })),
  resealed('a budget', /^the run used a request budget \(--budget\)$/, (records) => withRun(records, { budget: 5000 })),
  resealed('a shard', /^the run used shards \(--shard\)$/, (records) =>
    withRun(records, { shard: { index: 1, of: 2 } }),
  ),
  resealed('merged shards', /^the run used shards \(--shard\)$/, (records) =>
    withRun(records, { shards: [{ id: 'one', index: 1, of: 1 }] }),
  ),
  resealed('a gate', /^the run used a gate \(--baseline, --fail-on\)$/, (records) =>
    withHeader(records, (header) => ({ ...header, gate: { failOn: 'new', baseline: null, knownFailures: [] } })),
  ),
];

/** The partner edits the run and seals it with its own accepted key. */
export const tamperedRuns: readonly Tampering[] = [...hiddenFailures, ...exchanges, ...clocks, ...selections];

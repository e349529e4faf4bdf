import { packFiles } from '../../../../reporting/certification/archive.ts';
import { checksOfProfile } from '../../../../specs/catalogue/selection.ts';
import {
  FAILED_ATTEMPT,
  later,
  type Records,
  withCertification,
  withCheck,
  withExchange,
  withHeader,
  without,
  withUserAgent,
} from './record-edits.ts';
import { refused, type Tampering } from './tampering.ts';

/** The same run for the profile core. */
export function asCore(records: Records): Records {
  const core = new Set<string>(checksOfProfile('core'));
  const judged = without(records, (record) => record.kind === 'check' && !core.has(record.id));
  return withHeader(judged, (header) => ({
    ...header,
    run: { ...header.run, profile: 'core' },
    selected: header.selected.filter((id) => core.has(id)),
    excluded: header.excluded.filter(({ check }) => core.has(check)),
  }));
}

/** The run of a later version of the kit. */
export function asLaterVersion(records: Records): Records {
  const named = withHeader(records, (header) => ({ ...header, kit: { ...header.kit, version: '9.8.7' } }));
  return withExchange(named, (each) => {
    const agent = each.request.headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? '';
    return withUserAgent(each, agent.replace(/\/[\d.]+/, '/9.8.7'));
  });
}

function withoutTicket(records: Records): Records {
  return withExchange(withCertification(records, { ticket: null }), (each) => {
    const agent = each.request.headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? '';
    return withUserAgent(each, agent.replace(/ \(.*/, ''));
  });
}

const warned = (records: Records) =>
  withCheck(records, 'CREATE-04.plus', {
    verdict: 'warn',
    reason: 'the amount is accepted',
    expected: '400',
    actual: '201',
  });

export const strictPolicies: readonly Tampering[] = [
  refused('core instead of full', /^the run judged the profile core, but the policy requires full$/, {}, asCore),
  refused(
    'exceptions',
    /^the policy does not accept the exceptions reset \(not allowed\), productionWrites \(not allowed\) and rateLimitProbe/,
    { exceptions: [] },
  ),
  refused('one exception', /^the policy does not accept the exception rateLimitProbe \(not allowed\)$/, {
    exceptions: ['reset', 'productionWrites'],
  }),
  refused(
    'warnings',
    /^the policy accepts no warnings, and the run has 1 \(CREATE-04\.plus\)$/,
    { warnings: 'reject' },
    warned,
  ),
  refused(
    'a later version of the kit',
    /^version 9\.8\.7 of the kit judged the run, but the policy accepts/,
    {},
    asLaterVersion,
  ),
  refused('the version of this kit', /^version .+ of the kit judged the run, but the policy accepts 9\.8\.7$/, {
    kitVersions: ['9.8.7'],
  }),
  refused('another digest of the kit', /^the files of the kit have the digest \S+, which the policy does not accept$/, {
    kitDigests: ['0'.repeat(64)],
  }),
  {
    name: 'an old run',
    problem: /^the run is 3 days old, and the policy accepts 2$/,
    make: ({ conformant: { content, sealedAt } }) => ({
      archive: packFiles(content),
      policy: { maxAgeDays: 2 },
      now: new Date(later(sealedAt.toISOString(), 3 * 86_400)),
    }),
  },
  refused('a second attempt', /^the run is attempt 2, and the policy accepts 1$/, { maxAttempts: 1 }, (records) =>
    withCertification(records, { attempts: [FAILED_ATTEMPT] }),
  ),
  refused('another ticket', /^the run carries the ticket CERT-118, but the policy requires CERT-119$/, {
    ticket: 'CERT-119',
  }),
  refused(
    'no ticket',
    /^the run carries no ticket, but the policy requires CERT-118$/,
    { ticket: 'CERT-118' },
    withoutTicket,
  ),
  refused('no TLS', /^the run names no certificate of the server, but the policy requires TLS$/, { tls: 'required' }),
  refused('a waiver of another requirement', /^the policy does not accept the exception rateLimitProbe/, {
    exceptions: ['reset', 'productionWrites'],
    waivers: [{ requirement: 'RATE-01', reason: 'no probe', author: 'the desk', expires: '2099-12-31' }],
  }),
];

import type { Policy, Waiver } from '../../specs/certification/policy.ts';
import type { Blocker } from '../../specs/certification/verification.ts';
import type { Report } from '../../specs/formats/report.ts';
import { isUndecided } from '../report/judged.ts';
import { joinNames, pluralize } from '../text/wording.ts';

const DAY_MS = 86_400_000;

/** The waivers of a policy that cover a failed requirement of the run: those that hold today, and those that have expired. */
export function coveringWaivers(
  { checks }: Pick<Report, 'checks'>,
  { waivers }: Policy,
  now: Date,
): { applied: Waiver[]; expired: Waiver[] } {
  const today = now.toISOString().slice(0, 10);
  const failed = new Set(checks.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement));
  const covering = waivers.filter(({ requirement }) => failed.has(requirement));
  const applied = covering.filter(({ expires }) => expires >= today);
  const isWaived = new Set(applied.map(({ requirement }) => requirement));
  return { applied, expired: covering.filter(({ requirement }) => !isWaived.has(requirement)) };
}

/** The checks of waived requirements, and the required checks that their failures block. */
function waivedChecks({ checks }: Pick<Report, 'checks'>, waivers: readonly Waiver[]) {
  const names = new Set(waivers.map(({ requirement }) => requirement));
  const own = new Set(checks.filter(({ requirement }) => names.has(requirement)).map(({ id }) => id));
  const blocked = checks.filter(
    ({ id, verdict, blockedBy }) => !own.has(id) && verdict === 'blocked' && own.has(blockedBy ?? ''),
  );
  return { own, blocked };
}

/** The required checks that could not be judged because of a failure that is waived: a waiver costs them, too. */
export function unjudgedByWaiver(report: Pick<Report, 'checks'>, waivers: readonly Waiver[]): string[] {
  const { blocked } = waivedChecks(report, waivers);
  return blocked.filter(({ level }) => level === 'required').map(({ id }) => id);
}

/** Why the verdict of the run does not suffice. A waiver lifts the failures of its requirement, and what they block. */
export function verdictBlockers(report: Report, { applied, expired }: ReturnType<typeof coveringWaivers>): Blocker[] {
  const { own, blocked } = waivedChecks(report, applied);
  const dates = expired.map(({ requirement, expires }) => `that for ${requirement} expired on ${expires}`);
  const waiverAdvice = ['a desk can add waivers to its policy', ...dates].join('; ');
  const rest = report.checks.filter((check) => !own.has(check.id) && !blocked.includes(check));
  const failed = rest.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  const open = rest.filter((check) => check.level === 'required' && isUndecided(check));
  const { interrupted } = report.run;
  const blocker = (problem: string, remedy: string): Blocker => ({ kind: 'verdict', problem, remedy });
  if (interrupted !== null) return [blocker(`the run was interrupted: ${interrupted}`, 'certify again')];
  const isConsequence = open.every(({ blockedBy }) => failed.includes(blockedBy ?? ''));
  return [
    ...(failed.length === 0
      ? []
      : [
          blocker(
            `${pluralize(failed.length, 'check')} ${failed.length === 1 ? 'fails' : 'fail'} (${joinNames(failed)})`,
            `correct the server and certify again; ${waiverAdvice}`,
          ),
        ]),
    ...(open.length === 0
      ? []
      : [
          blocker(
            `${pluralize(open.length, 'required check')} could not be judged (${joinNames(open.map(({ id }) => id))})`,
            isConsequence
              ? 'correct the failures that block them, and certify again'
              : 'complete the target file until "conformance doctor --probe" is ready and certify again; report.html gives the reasons',
          ),
        ]),
  ];
}

interface PolicyFacts {
  readonly report: Report;
  readonly policy: Policy;
  /** The version of the kit that verifies. */
  readonly kitVersion: string;
  readonly now: Date;
}

/** What the desk requires and the run does not show. */
export function policyProblems({ report, policy, kitVersion, now }: PolicyFacts): Blocker[] {
  const { certification, run, kit, exceptions, checks } = report;
  const blocker = (problem: string, remedy: string): Blocker => ({ kind: 'policy', problem, remedy });
  const problems: Blocker[] = [];
  const profiles = policy.profile === 'full' ? ['full'] : ['core', 'full'];
  if (!profiles.includes(run.profile))
    problems.push(
      blocker(
        `the run judged the profile ${run.profile}, but the policy requires ${policy.profile}`,
        `certify with --profile ${policy.profile}`,
      ),
    );
  const open = exceptions.filter((exception) => !policy.exceptions.includes(exception.split(' ')[0] ?? ''));
  if (open.length > 0)
    problems.push(
      blocker(
        `the policy does not accept the ${open.length === 1 ? 'exception' : 'exceptions'} ${joinNames(open, open.length)}`,
        'allow these checks or bind these operations in the target file and certify again; a desk can add them to exceptions of its policy',
      ),
    );
  const warned = checks.filter(({ verdict }) => verdict === 'warn').map(({ id }) => id);
  if (policy.warnings === 'reject' && warned.length > 0)
    problems.push(
      blocker(
        `the policy accepts no warnings, and the run has ${warned.length} (${joinNames(warned)})`,
        'correct the server and certify again',
      ),
    );
  const versions = policy.kitVersions.length === 0 ? [kitVersion] : policy.kitVersions;
  if (!versions.includes(kit.version))
    problems.push(
      blocker(
        `version ${kit.version} of the kit judged the run, but the policy accepts ${joinNames(versions, versions.length)}`,
        'certify again with an accepted version of the kit',
      ),
    );
  if (policy.kitDigests.length > 0 && !policy.kitDigests.includes(certification?.kit.digest ?? ''))
    problems.push(
      blocker(
        `the files of the kit have the digest ${certification?.kit.digest ?? 'none'}, which the policy does not accept`,
        'certify with an unchanged kit',
      ),
    );
  const ageDays = (now.getTime() - Date.parse(run.finishedAt)) / DAY_MS;
  if (policy.maxAgeDays !== undefined && ageDays > policy.maxAgeDays)
    problems.push(
      blocker(
        `the run is ${Math.floor(ageDays)} days old, and the policy accepts ${policy.maxAgeDays}`,
        'certify again',
      ),
    );
  const attempts = (certification?.attempts.length ?? 0) + 1;
  if (policy.maxAttempts !== undefined && attempts > policy.maxAttempts)
    problems.push(
      blocker(
        `the run is attempt ${attempts}, and the policy accepts ${policy.maxAttempts}`,
        'use the package of an earlier attempt; a desk can raise maxAttempts of its policy',
      ),
    );
  if (policy.ticket !== undefined && certification?.ticket !== policy.ticket)
    problems.push(
      blocker(
        `the run carries ${certification?.ticket ? `the ticket ${certification.ticket}` : 'no ticket'}, but the policy requires ${policy.ticket}`,
        `certify with --ticket ${policy.ticket}`,
      ),
    );
  if (policy.tls === 'required' && !certification?.serverCertificate)
    problems.push(
      blocker(
        'the run names no certificate of the server, but the policy requires TLS',
        'certify over https and without a proxy',
      ),
    );
  return problems;
}

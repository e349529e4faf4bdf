import { joinNames, pluralize } from '../../reporting/text/wording.ts';
import { checkCatalogue } from '../../specs/catalogue/catalogue.ts';
import type { Verification } from '../../specs/certification/verification.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** The result of a verification as text lines: what the package is, then `certifiable: yes` or the reasons against it. */
export function formatVerification({
  run,
  signers,
  certificate,
  waivers,
  blockers,
  certifiable,
}: Verification): string[] {
  return [
    ...(run === null ? [] : runLines(run)),
    `signed by        ${signers.length === 0 ? 'no accepted key' : signers.join(', ')}`,
    ...(certificate === null ? [] : certificateLines(certificate)),
    ...waivers.map(
      ({ requirement, reason, author, expires }) =>
        `waiver           ${requirement}: ${reason} (${author}, until ${expires})`,
    ),
    ...(run === null || run.unjudgedByWaiver.length === 0
      ? []
      : [
          `                 the waived failures leave ${pluralize(run.unjudgedByWaiver.length, 'required check')} unjudged (${joinNames(run.unjudgedByWaiver)})`,
        ]),
    '',
    ...blockers.flatMap(({ kind, problem, remedy }) => [`${kind.padEnd(10)} ${problem}`, `           → ${remedy}`]),
    ...(blockers.length === 0 ? [] : ['']),
    `certifiable: ${certifiable}${blockers.length === 0 ? '' : ` (${pluralize(blockers.length, 'blocker')})`}`,
  ];
}

function certificateLines({
  verifier,
  timeCreated,
  properties,
  signers,
}: NonNullable<Verification['certificate']>): string[] {
  const by = signers.length === 0 ? 'not signed by an accepted key' : `signed by ${signers.join(', ')}`;
  return [`certificate      ${properties.join(', ')}, by ${verifier.id}, ${timeCreated}, ${by}`];
}

function runLines({
  headline,
  target,
  certification,
  kit,
  run,
  warned,
  notApplicable,
}: NonNullable<Verification['run']>): string[] {
  const { vendor = '', product = '', version = '' } = target.implementation ?? {};
  const attempts = certification?.attempts ?? [];
  return [
    `implementation   ${vendor} ${product} ${version}`.trimEnd(),
    `target           ${target.name} (${target.baseUrl})`,
    `verdict          ${headline}`,
    ...(warned.length === 0 ? [] : [`warnings         ${pluralize(warned.length, 'check')}`]),
    ...(notApplicable.length === 0 ? [] : [`not applicable   ${notApplicableText(notApplicable)}`]),
    `run              ${run.startedAt} to ${run.finishedAt}, by ${certification?.operator ?? 'an unknown operator'}`,
    `ticket           ${certification?.ticket ?? 'none'}`,
    `kit              ${kit.name} ${kit.version}, commit ${certification?.kit.commit ?? 'unknown'}`,
    `attempts         ${attempts.length + 1}${attempts.length === 0 ? '' : `: ${attempts.map(({ verdict }) => verdict).join(', ')}, then this one`}`,
  ];
}

/** Names every required check, because a desk decides whether it accepts a certificate without them. */
function notApplicableText(ids: readonly string[]): string {
  const required = ids.filter((id) => checkCatalogue.get(id as CheckId)?.level === 'required');
  const named = required.length === 0 ? '' : `, ${required.length} of them required: ${required.join(', ')}`;
  return `${pluralize(ids.length, 'check')}${named}`;
}

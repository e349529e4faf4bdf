import type { RequirementReport } from '../specs/report.ts';

/** What stands behind a check: its requirement, the place of the sentence in the contract, and what is derived from it. */
export function requirementLines({
  id,
  statement,
  place,
  derived,
}: RequirementReport): [label: string, text: string][] {
  return [
    ['requirement', `${id} ${statement}`],
    ['contract', place],
    ...derived.map((each): [string, string] => ['derived', derivationText(each)]),
  ];
}

/** `A rejected action changes nothing. Follows necessarily: rejected means not carried out.` */
export function derivationText({ rule, because, necessary }: RequirementReport['derived'][number]): string {
  return `${rule} ${necessary ? 'Follows necessarily' : 'Deduced'}: ${because}`;
}

import type { RequirementReport } from '../../specs/report.ts';

/** The requirement, its place in the contract and its derivations, as labelled lines. */
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
  return `${rule} ${necessary ? 'Follows necessarily' : 'Deduced'}: ${withLowerCaseStart(because)}`;
}

/** Keeps names such as `INV003` and `X-Environment`. */
function withLowerCaseStart(text: string): string {
  return text.replace(/^[A-Z](?=[a-z]*[ ,])/, (letter) => letter.toLowerCase());
}

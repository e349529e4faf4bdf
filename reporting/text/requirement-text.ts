import { type Derivation, derivationOf } from '../../specs/catalogue/requirement.ts';
import type { RequirementReport } from '../../specs/formats/report.ts';
import { joinNames } from './wording.ts';

/** The requirement of a check, its place in the contract and the derived rule that the check judges, as labelled lines. */
export function requirementLines(requirement: RequirementReport, check: string): [label: string, text: string][] {
  const { id, statement, place } = requirement;
  const derivation = derivationOf(requirement, check);
  return [
    ['requirement', `${id} ${statement}`],
    ['contract', placeText(place)],
    ...(derivation ? [['derived', derivationText(derivation)] satisfies [string, string]] : []),
  ];
}

/** `Create invoice, rule 2 and row amount; Errors, Module codes, row INV002`: the places of one part together. */
export function placeText(place: string): string {
  const parts = new Map<string, Map<string, string[]>>();
  for (const each of place.split('; ')) {
    const [, part = '', kind = '', name = ''] = /^(.*), (rule|row|text)(?: (.*))?$/.exec(each) ?? [];
    // A custom requirement may name any place.
    if (part === '') return place;
    const kinds = parts.get(part) ?? new Map<string, string[]>();
    parts.set(part, kinds.set(kind, [...(kinds.get(kind) ?? []), name]));
  }
  return [...parts].map(([part, kinds]) => `${part}, ${listed([...kinds].map(kindText))}`).join('; ');
}

const listed = (names: readonly string[]) => joinNames(names, names.length);

function kindText([kind, names]: [kind: string, names: string[]]): string {
  return names.length === 1 ? `${kind} ${names[0]}`.trim() : `${kind}s ${listed(names)}`;
}

/** `A rejected action changes nothing. Follows necessarily: rejected means not carried out.` */
export function derivationText({ rule, because, necessary }: Derivation): string {
  return `${rule} ${necessary ? 'Follows necessarily' : 'Deduced'}: ${withLowerCaseStart(because)}`;
}

/** Keeps names such as `INV003` and `X-Environment`. */
function withLowerCaseStart(text: string): string {
  return text.replace(/^[A-Z](?=[a-z]*[ ,])/, (letter) => letter.toLowerCase());
}

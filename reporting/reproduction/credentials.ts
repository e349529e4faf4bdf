import type { FullExchange } from '../journal/evidence.ts';
import { credentialVariable, SECRET_MASK, type Substitutions, secretVariable, shellWord } from '../text/curl.ts';
import { NoChain } from './chain.ts';

/** A shell variable of a derived credential, and the command that sets it. */
interface DerivedCredential {
  readonly variable: string;
  /** The variable it is derived from; null for a fixed value. */
  readonly source: { readonly actor: string; readonly part: 'key' | 'secret' } | null;
  /** A jq filter that computes the value from `$v`, the value of the source. */
  readonly filter: string;
}

const OTHER = 'def other: if . == "0" then "1" else "0" end; ';
const PREFIX = '^svc_(sand|prod)_';
const OTHER_CASE =
  `($v | [match("${PREFIX}").string][0] // "") as $p | $v[($p | length):] as $r | ` +
  '$p + (if $r == ($r | ascii_downcase) then ($r | ascii_upcase) else ($r | ascii_downcase) end)';

/** How each kind of invalid credential is derived from a valid one: a part of its name, and a jq filter of `$v`. */
const FILTERS: readonly (readonly [phrase: string, filter: string])[] = [
  ['the first half of', '$v[:(($v | length) / 2 | ceil)]'],
  ['without the first character', '$v[1:]'],
  ['reversed', '$v | explode | reverse | implode'],
  ['last character', `${OTHER}$v[:-1] + ($v[-1:] | other)`],
  ['first character', `${OTHER}($v[:1] | other) + $v[1:]`],
  [
    'character in the middle',
    `${OTHER}(($v | length) / 2 | floor) as $m | $v[:$m] + ($v[$m:$m + 1] | other) + $v[$m + 1:]`,
  ],
  ['a character before', '"0" + $v'],
  ['without the key prefix', `$v | sub("${PREFIX}"; "")`],
  [
    'prefix in capitals',
    `($v | [match("${PREFIX}").string][0] // "") as $p | ($p | ascii_upcase) + $v[($p | length):]`,
  ],
  ['the other prefix', '$v | if startswith("svc_sand_") then "svc_prod_" + .[9:] else "svc_sand_" + .[9:] end'],
  ['only the key prefix', '"svc_sand_"'],
  ['a wildcard as the key', `($v | [match("${PREFIX}").string][0] // "") + "%"`],
  ['constructor as the key', '"constructor"'],
  ['a key of 300 characters', '"svc_sand_" + ("x" * 291)'],
  ['a secret of 300 characters', '"x" * 300'],
  ['non-ASCII letter', '$v[:-1] + "\\u00e9"'],
  ['quotation mark', '$v[:-1] + "\\u0027"'],
  ['truncated', '$v[:-1]'],
  ['extended', '$v + "0"'],
  ['in another case', OTHER_CASE],
  ['in another letter case', OTHER_CASE],
  ['preceded by the scheme Bearer', '"Bearer " + $v'],
  ['in double quotes', '"\\"" + $v + "\\""'],
  ['followed by a semicolon and x', '$v + ";x"'],
  ['followed by a space and x', '$v + " x"'],
  ['followed by an equals sign as padding', '$v + "="'],
  ['in Base64', '$v | @base64'],
];

const NEVER_ISSUED: Readonly<Record<string, string>> = {
  'a key never issued: X-API-Key': 'svc_sand_conformance_never_issued_0000',
  'a production key never issued: X-API-Key': 'svc_prod_conformance_never_issued_0000',
  'a key never issued: X-API-Secret': 'conformance-never-issued-secret-0000',
};

/**
 * How to compute the value of a masked credential header, by its mask and the label of the actor, such as
 * `seller with a truncated key`. Null if the report does not say it.
 */
function derivedCredential(header: string, mask: string, actorLabel: string): DerivedCredential | null {
  const part = /key/i.test(header) ? 'key' : 'secret';
  const fixed = NEVER_ISSUED[mask.slice(1, -1)];
  const variable = `DERIVED_${part.toUpperCase()}`;
  if (fixed !== undefined) return { variable, source: null, filter: JSON.stringify(fixed) };
  const phrase = /^<masked: /.test(mask) ? actorLabel : mask;
  const [, actor] = /^<?(seller|buyer|outsider|readOnly|revoked|production)\b/.exec(phrase) ?? [];
  const [, filter] = FILTERS.find(([name]) => phrase.includes(name)) ?? [];
  if (actor === undefined || filter === undefined) return null;
  return { variable, source: { actor, part }, filter };
}

/** The credential headers of a request that are no plain secrets. Throws NoChain if the report does not say how they are derived. */
export function derivedHeaders(step: FullExchange): { mask: string; credential: DerivedCredential }[] {
  return step.request.headers.flatMap(([name, value]) => {
    const isCredential = /^x-api-(key|secret)$/i.test(name);
    if (!isCredential && /<masked: /.test(value))
      throw new NoChain(`the report masks the header ${name} of ${step.label}`);
    if (!isCredential || value === '' || /^<\w+\.(key|secret)>$/.test(value)) return [];
    const credential = derivedCredential(name, value, step.actor);
    if (credential === null) throw new NoChain(`the report masks the credentials of ${step.label}`);
    return [{ mask: value, credential }];
  });
}

/** The command that computes a derived credential. */
export function derivedLine({ variable, source, filter }: DerivedCredential, { secrets }: Substitutions): string {
  const from = source === null ? '' : `--arg v "$${credentialVariable(source.actor, source.part, secrets)}" `;
  return `${variable}=$(jq -nr ${from}${shellWord(filter)})`;
}

/** One line for each variable that the user must set, in the order of use. */
export function credentialLines(steps: readonly FullExchange[], { secrets = {} }: Substitutions): string[] {
  const needed = new Map<string, string>();
  for (const step of steps) {
    for (const { credential } of derivedHeaders(step)) {
      if (credential.source === null) continue;
      const { actor, part } = credential.source;
      needed.set(credentialVariable(actor, part, secrets), `the ${part} of the actor ${actor}`);
    }
    const { url, body, headers } = step.request;
    for (const value of [...headers.map(([, each]) => each), url, body ?? '']) {
      for (const mask of value.matchAll(new RegExp(SECRET_MASK, 'g'))) {
        const [, actor, part, header] = mask;
        const what = header === undefined ? `the ${part} of the actor ${actor}` : `the value of the header ${header}`;
        needed.set(secretVariable(mask, secrets), what);
      }
    }
  }
  // An explicit test, because shells exit with different codes for an unset variable.
  return [...needed].map(
    ([variable, what]) => `[ -n "\${${variable}:-}" ] || { echo 'Set ${variable} to ${what}.' >&2; exit 2; }`,
  );
}

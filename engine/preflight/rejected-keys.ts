import type { ActorName, Target } from '../../specs/target-file/target.ts';

/** `actors.seller.key (SELLER_KEY) and actors.seller.secret (SELLER_SECRET)`: the fields of an actor, with the variables that hold them. */
export function credentialFields({ secretVariables = {} }: Pick<Target, 'secretVariables'>, actor: ActorName): string {
  const [key, secret] = (['key', 'secret'] as const).map((field) => {
    const variable = secretVariables[`${actor}.${field}`];
    return `actors.${actor}.${field}${variable === undefined ? '' : ` (${variable})`}`;
  });
  return `${key} and ${secret}`;
}

/** What is unusual about the key or the secret of an actor, as a clause; empty if nothing is. Shows no part of them. */
export function credentialDoubt({ actors }: Pick<Target, 'actors'>, actor: ActorName): string {
  const { key = '', secret = '' } = actors[actor] ?? {};
  const doubts = [
    ['key', key],
    ['secret', secret],
  ].flatMap(([field, value = '']) => {
    const doubt = SHAPES.find(([pattern]) => pattern.test(value))?.[1];
    return doubt === undefined ? [] : [`; the ${field} ${doubt}`];
  });
  const isSame = key !== '' && key === secret;
  return [...doubts, ...(isSame ? ['; the secret is the same as the key'] : [])].join('');
}

const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/^["'`\u201c\u201d\u2018\u2019]|["'`\u201c\u201d\u2018\u2019]$/, 'contains quotation marks'],
  [
    /^<.*>$|^\*+$|^x{3,}$|^\$|^\{\{.*\}\}$|^\[?(?:change-?me|todo|placeholder|redacted|masked)\]?$/i,
    'looks like a placeholder',
  ],
  [/^(?:op|vault|arn|ref\+[a-z]+):|^ENC\[/i, 'looks like a reference to a secret store, which the kit does not read'],
  [/^(?:export\s+)?[A-Z][A-Z0-9_]*=[^=]/, 'begins with the name of a variable'],
  [/^(?:bearer|basic)\s/i, 'begins with the scheme of an Authorization header'],
  [/\s/, 'contains white space'],
];

import type { CheckId } from '../../../specs/generated/ids.ts';
import type { RuleChange } from '../../overrides/override-rules.ts';
import type { IncomingRequest } from '../../service/call.ts';
import type { Fault } from '../fault.ts';
import { acceptCredentials } from '../support/authentication.ts';

type Change = (value: string) => string;

const same: Change = (value) => value;

/** A layer changes the sent key or secret before it is compared. */
function changing(
  { key: changeKey = same, secret: changeSecret = same }: { key?: Change; secret?: Change },
  where: (request: IncomingRequest) => boolean = () => true,
): RuleChange {
  return acceptCredentials(({ key, secret, request, keys }) => {
    if (key === null || secret === null || !where(request)) return undefined;
    const [sentKey, sentSecret] = [changeKey(key), changeSecret(secret)];
    return keys.find((each) => each.key === sentKey && each.secret === sentSecret && each.state === 'active');
  });
}

const isWrite = ({ method }: IncomingRequest) => method === 'POST';

const withoutScheme: Change = (value) => value.replace(/^(bearer|apikey|token)\s+/i, '');
const withoutQuotes: Change = (value) => value.replace(/^["']+|["']+$/g, '');
const inUtf8: Change = (value) => Buffer.from(value, 'latin1').toString('utf8');
const fromBase64: Change = (value) => Buffer.from(value, 'base64').toString();

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const changed: readonly [id: string, check: CheckId, defect: string, rules: RuleChange][] = [
  [
    'key-scheme-stripped',
    'AUTH-02.decorated',
    'The gateway removes a scheme such as Bearer before the key, for clients that confuse the headers.',
    changing({ key: withoutScheme }),
  ],
  [
    'key-last-word',
    'AUTH-02.decorated',
    'The key is the last word of its header, as in the code for the Authorization header.',
    changing({ key: (value) => value.split(' ').at(-1) ?? '' }),
  ],
  [
    'key-first-word',
    'AUTH-02.decorated',
    'The key ends at the first space, because the header is parsed with a pattern that has no end.',
    changing({ key: (value) => value.split(' ')[0] ?? '' }),
  ],
  [
    'key-before-parameters',
    'AUTH-02.decorated',
    'The header is parsed like a Content-Type: the parameters behind a semicolon are dropped.',
    changing({ key: (value) => value.split(';')[0] ?? '' }),
  ],
  [
    'key-before-colon',
    'AUTH-02.decorated',
    'The key header is split at a colon, because an earlier client sent key and secret together.',
    changing({ key: (value) => value.split(':')[0] ?? '' }),
  ],
  [
    'key-quotes-stripped',
    'AUTH-02.decorated',
    'Quotes around the key are removed, because some clients copy them from a .env file.',
    changing({ key: withoutQuotes }),
  ],
  [
    'secret-scheme-stripped',
    'AUTH-03.decorated',
    'One function reads both headers and removes a scheme such as Bearer.',
    changing({ secret: withoutScheme }),
  ],
  [
    'secret-quotes-stripped',
    'AUTH-03.decorated',
    'Quotes around the secret are removed, because some clients copy them from a .env file.',
    changing({ secret: withoutQuotes }),
  ],
  [
    'secret-padding-ignored',
    'AUTH-03.decorated',
    'Secrets are Base64, and padding at the end is removed before the comparison.',
    changing({ secret: (value) => value.replace(/=+$/, '') }),
  ],
  [
    'key-percent-decoded',
    'AUTH-02.encoded',
    'The gateway decodes the header like a query parameter.',
    changing({ key: percentDecoded }),
  ],
  [
    'key-normalized',
    'AUTH-02.encoded',
    'The key is normalized with NFKC before the lookup, so full-width characters match.',
    changing({ key: (value) => inUtf8(value).normalize('NFKC') }),
  ],
  [
    'key-accents-ignored',
    'AUTH-02.encoded',
    'The column of the key has a collation that ignores accents.',
    changing({ key: (value) => value.normalize('NFD').replace(/\p{M}/gu, '') }),
  ],
  [
    'secret-base64-decoded',
    'AUTH-03.encoded',
    'A secret that was pasted from a Kubernetes secret is decoded.',
    changing({ secret: fromBase64 }),
  ],
  [
    'key-trimmed',
    'AUTH-02.invisible',
    'The key is trimmed, non-breaking spaces included.',
    changing({ key: (value) => value.trim() }),
  ],
  [
    'key-invisible-removed',
    'AUTH-02.invisible',
    'Zero-width characters are removed from the key, because chat programs add them.',
    changing({ key: (value) => inUtf8(value).replace(/[\u200b-\u200d\ufeff]/g, '') }),
  ],
  [
    'secret-trimmed',
    'AUTH-03.invisible',
    'The secret is trimmed, non-breaking spaces included.',
    changing({ secret: (value) => value.trim() }),
  ],
  [
    'create-scheme-stripped',
    'AUTH-07.create-disguised',
    'Only the newer service for creations removes a scheme before the key.',
    changing({ key: withoutScheme }, isWrite),
  ],
  [
    'create-secret-decoded',
    'AUTH-07.create-disguised',
    'The service for creations reads the secret with a URL decoder.',
    changing({ secret: percentDecoded }, isWrite),
  ],
  [
    'key-first-32',
    'AUTH-02.altered',
    'The index of the keys covers 32 characters, and only their length is compared in addition.',
    acceptCredentials(({ key, secret, keys }) =>
      keys.find(
        (each) =>
          each.secret === secret && each.key.length === key?.length && each.key.slice(0, 32) === key.slice(0, 32),
      ),
    ),
  ],
];

export const authenticationDisguisedCredentialsFaults: readonly Fault[] = [
  ...changed.map(
    ([name, check, defect, rules]): Fault => ({
      id: `auth-${name}`,
      requirement: check.split('.')[0] ?? '',
      defect,
      caughtBy: [check],
      rules,
    }),
  ),
  {
    id: 'auth-key-last-of-list',
    requirement: 'AUTH-02',
    defect: 'The last value of a list is the key, because proxies append their own key.',
    caughtBy: ['AUTH-02.decorated', 'AUTH-11.repeated'],
    rules: changing({ key: (value) => value.split(',').at(-1)?.trim() ?? '' }),
  },
  {
    id: 'auth-secret-first-of-list',
    requirement: 'AUTH-03',
    defect:
      'The framework returns the first value of a repeated header, and splits one value at commas in the same way.',
    caughtBy: ['AUTH-03.decorated', 'AUTH-11.repeated'],
    rules: changing({ secret: (value) => value.split(',')[0] ?? '' }),
  },
];

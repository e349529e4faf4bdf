import { ACTOR_NAMES, parseTarget } from '../../../../specs/target-file/target.ts';

/** Values that change when they are encoded. A header may contain no other characters than printable ASCII. */
const odd = (name: string) => `Canary "${name}"/+&of\\1?=~`;

const credentials = Object.fromEntries(
  ACTOR_NAMES.map((name) => [name, { key: odd(`${name}-key`), secret: odd(`${name}-secret`) }]),
);
const PASSWORD = odd('proxy');
const PASSPHRASE = odd('passphrase');
const TOKEN = odd('gateway');
const BEARER = 'bearer-canary+/of=1';

/** A target with every kind of secret. */
export const canaryTarget = parseTarget({
  baseUrl: 'https://staging.example.com',
  actors: credentials,
  headers: { 'X-Gateway-Token': TOKEN, Authorization: `Bearer ${BEARER}` },
  proxy: `http://robot:${encodeURIComponent(PASSWORD)}@proxy.example.com:3128`,
  tls: { passphrase: PASSPHRASE },
});

/** Each secret of the target, by its field. */
export const CANARIES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(credentials).flatMap(([name, { key, secret }]): [string, string][] => [
    [`${name}.key`, key],
    [`${name}.secret`, secret],
  ]),
  ['headers.X-Gateway-Token', TOKEN],
  ['headers.Authorization', BEARER],
  ['proxy.password', PASSWORD],
  ['tls.passphrase', PASSPHRASE],
]);

/** The value as a server may show it, within other text. */
export function canaryForms(value: string): Record<string, string> {
  const json = JSON.stringify(value).slice(1, -1);
  const aligned = (offset: number) => Buffer.from(`${'x'.repeat(offset)}${value} and more`);
  return {
    raw: value,
    'in JSON': json,
    'in JSON with escaped slashes': json.replaceAll('/', '\\/'),
    'in JSON in JSON': JSON.stringify(json).slice(1, -1),
    'in a URL': encodeURIComponent(value),
    'in a URL with + for spaces': encodeURIComponent(value).replaceAll('%20', '+'),
    'in a URL in a URL': encodeURIComponent(encodeURIComponent(value)),
    'in Base64': Buffer.from(value).toString('base64'),
    ...Object.fromEntries(
      [0, 1, 2].flatMap((offset) => [
        [`in Base64 at ${offset}`, aligned(offset).toString('base64')],
        [`in Base64 for URLs at ${offset}`, aligned(offset).toString('base64url')],
      ]),
    ),
    'in hexadecimal': Buffer.from(value).toString('hex'),
  };
}

import type { ExchangeRecord } from '../../specs/formats/journal.ts';

/** Headers that curl sets itself, or that only concern one connection. */
const HOP_BY_HOP_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** Variables by mask, as the report contains them. */
export type SecretVariables = Readonly<Record<string, string>>;

/** Texts of a request that become shell variables in a command. */
export interface Substitutions {
  /** The variables that the target file names for masked secrets, by mask: `{ 'seller.key': 'SELLER_KEY' }`. */
  readonly secrets?: SecretVariables;
  /** Further texts and the names of their variables. A longer text goes first. */
  readonly texts?: readonly (readonly [text: string, variable: string])[];
  /** Masked secrets stay as they are, for a text that is only shown. */
  readonly keepsMasks?: boolean;
}

/** A masked secret of the target file, such as `<seller.key>`. */
export const SECRET_MASK = /<(?:(seller|buyer|outsider|readOnly|revoked|production)\.(key|secret)|headers\.([\w-]+))>/;

/**
 * A command line for a POSIX shell that repeats a recorded request, such as
 * `curl -i -sS --request GET --header "X-API-Key: $CONFORMANCE_SELLER_KEY" 'https://…'`.
 * Masked credentials and headers become the variables that the target file names for them. Without one, a credential becomes the
 * variable that also configures the kit, and a header a variable with its name: `$X_GATEWAY_TOKEN`.
 */
export function curlCommand(exchange: Pick<ExchangeRecord, 'request'>, secrets: SecretVariables = {}): string {
  const { method, body } = exchange.request;
  // With --request HEAD, curl would wait for a body.
  const words = [
    'curl',
    '-i',
    '-sS',
    ...(method === 'HEAD' ? ['--head'] : []),
    ...curlArguments(exchange, { secrets }),
  ];
  if (body?.includes('\0')) words.push('# the NUL characters of the body cannot be part of a command line');
  return words.join(' ');
}

/** The arguments of curl that describe a recorded request, as words of a POSIX shell. */
export function curlArguments({ request }: Pick<ExchangeRecord, 'request'>, substitutions: Substitutions): string[] {
  const { method, url, headers, body } = request;
  const sent = headers.filter(([name]) => !HOP_BY_HOP_HEADERS.has(name.toLowerCase()));
  const words = method === 'HEAD' ? [] : ['--request', shellWord(method)];
  if (/[[\]{}]/.test(url)) words.push('--globoff');
  if (/\/\.{1,2}(?:[/?#]|$)/.test(url)) words.push('--path-as-is');
  for (const [name, value] of sent) words.push('--header', shellWord(headerArgument(name, value), substitutions));
  if (body !== null) {
    // Without this header, curl would send the type of a form.
    if (!sent.some(([name]) => name.toLowerCase() === 'content-type'))
      words.push('--header', shellWord('Content-Type:'));
    words.push('--data-raw', shellWord(body, substitutions));
  }
  return [...words, shellWord(url, substitutions)];
}

/** `Name;` makes curl send an empty header; `Name:` would remove it. */
function headerArgument(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

/** A text as one word of a POSIX shell, with variables in place of masks and substituted texts. */
export function shellWord(raw: string, substitutions: Substitutions = {}): string {
  const text = raw.replaceAll('\0', '');
  const pieces = splitAtVariables(text, substitutions);
  const [first, last] = pieces;
  if (pieces.length === 1 && first?.variable === undefined && /^[A-Za-z0-9_./:=@%+,-]+$/.test(text)) return text;
  if (pieces.length === 2 && first && last?.variable !== undefined && /^[A-Za-z0-9 :_./=-]+$/.test(first.text)) {
    return `"${first.text}${last.variable}"`;
  }
  return pieces
    .map((piece) => (piece.variable === undefined ? singleQuote(piece.text) : `"${piece.variable}"`))
    .join('');
}

interface Piece {
  readonly text: string;
  /** The shell variable that replaces the text. */
  readonly variable?: string;
}

function splitAtVariables(text: string, { secrets = {}, texts = [], keepsMasks = false }: Substitutions): Piece[] {
  const pieces: Piece[] = [];
  let rest = text;
  for (
    let found = nextVariable(rest, keepsMasks ? null : secrets, texts);
    found !== null;
    found = nextVariable(rest, keepsMasks ? null : secrets, texts)
  ) {
    if (found.index > 0) pieces.push({ text: rest.slice(0, found.index) });
    pieces.push({ text: found.text, variable: `$${found.variable}` });
    rest = rest.slice(found.index + found.text.length);
  }
  if (rest !== '' || pieces.length === 0) pieces.push({ text: rest });
  return pieces;
}

interface FoundVariable {
  readonly index: number;
  readonly text: string;
  readonly variable: string;
}

function nextVariable(
  text: string,
  secrets: SecretVariables | null,
  texts: NonNullable<Substitutions['texts']>,
): FoundVariable | null {
  const mask = secrets === null ? null : SECRET_MASK.exec(text);
  const candidates: FoundVariable[] = texts
    .map(([each, variable]) => ({ index: text.indexOf(each), text: each, variable: `{${variable}}` }))
    .filter(({ index }) => index >= 0);
  if (mask && secrets) candidates.push({ index: mask.index, text: mask[0], variable: secretVariable(mask, secrets) });
  candidates.sort((one, other) => one.index - other.index || other.text.length - one.text.length);
  return candidates[0] ?? null;
}

/** The shell variable of a masked secret: the one that the target file names, or a standard one. */
export function secretVariable([, actor = '', part = '', header]: RegExpExecArray, secrets: SecretVariables): string {
  if (header !== undefined) return secrets[`headers.${header}`] ?? headerVariable(header);
  return credentialVariable(actor, part, secrets);
}

/** The shell variable of a credential: the one that the target file names, or else the one that configures the kit. */
export function credentialVariable(actor: string, part: string, secrets: SecretVariables = {}): string {
  const standard = `CONFORMANCE_${actor.replace(/[A-Z]/g, '_$&').toUpperCase()}_${part.toUpperCase()}`;
  return secrets[`${actor}.${part}`] ?? standard;
}

function headerVariable(header: string): string {
  const name = header.replace(/\W/g, '_').toUpperCase();
  return /^\d/.test(name) ? `HEADER_${name}` : name;
}

function singleQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

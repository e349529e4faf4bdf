import type { ExchangeRecord } from '../../specs/journal.ts';

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

const CREDENTIAL_MASK = /<(?:(seller|buyer|outsider|readOnly|revoked|production)\.(key|secret)|headers\.([\w-]+))>/;

/**
 * A command line for a POSIX shell that repeats a recorded request, such as
 * `curl -i -sS --request GET --header "X-API-Key: $CONFORMANCE_SELLER_KEY" 'https://…'`.
 * Masked credentials and headers become the variables that the target file names for them, by mask: `{ 'seller.key': 'SELLER_KEY' }`.
 * Without one, a credential becomes the variable that also configures the kit, and a header a variable with its name:
 * `$X_GATEWAY_TOKEN`.
 */
export function curlCommand(exchange: Pick<ExchangeRecord, 'request'>, variables: SecretVariables = {}): string {
  const { method, url, headers, body } = exchange.request;
  const sent = headers.filter(([name]) => !HOP_BY_HOP_HEADERS.has(name.toLowerCase()));
  const words = ['curl', '-i', '-sS'];
  // With --request HEAD, curl would wait for a body.
  words.push(...(method === 'HEAD' ? ['--head'] : ['--request', shellWord(method)]));
  if (/[[\]{}]/.test(url)) words.push('--globoff');
  if (/\/\.{1,2}(?:[/?#]|$)/.test(url)) words.push('--path-as-is');
  for (const [name, value] of sent) words.push('--header', shellWord(headerArgument(name, value), variables));
  if (body !== null) {
    // Without this header, curl would send the type of a form.
    if (!sent.some(([name]) => name.toLowerCase() === 'content-type'))
      words.push('--header', shellWord('Content-Type:'));
    words.push('--data-raw', shellWord(body, variables));
  }
  words.push(shellWord(url, variables));
  if (body?.includes('\0')) words.push('# the NUL characters of the body cannot be part of a command line');
  return words.join(' ');
}

/** `Name;` makes curl send an empty header; `Name:` would remove it. */
function headerArgument(name: string, value: string): string {
  return value === '' ? `${name};` : `${name}: ${value}`;
}

function shellWord(raw: string, variables: SecretVariables = {}): string {
  const text = raw.replaceAll('\0', '');
  if (/^[A-Za-z0-9_./:=@%+-]+$/.test(text)) return text;
  const pieces = splitCredentials(text, variables);
  const [first, last] = pieces;
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

function splitCredentials(text: string, variables: SecretVariables): Piece[] {
  const pieces: Piece[] = [];
  let rest = text;
  for (let found = CREDENTIAL_MASK.exec(rest); found !== null; found = CREDENTIAL_MASK.exec(rest)) {
    const [mask, actor = '', part = '', header] = found;
    if (found.index > 0) pieces.push({ text: rest.slice(0, found.index) });
    const named = variables[header === undefined ? `${actor}.${part}` : `headers.${header}`];
    const standard = header === undefined ? credentialVariable(actor, part) : headerVariable(header);
    pieces.push({ text: mask, variable: `$${named ?? standard}` });
    rest = rest.slice(found.index + mask.length);
  }
  if (rest !== '' || pieces.length === 0) pieces.push({ text: rest });
  return pieces;
}

function credentialVariable(actor: string, part: string): string {
  return `CONFORMANCE_${actor.replace(/[A-Z]/g, '_$&').toUpperCase()}_${part.toUpperCase()}`;
}

function headerVariable(header: string): string {
  const name = header.replace(/\W/g, '_').toUpperCase();
  return /^\d/.test(name) ? `HEADER_${name}` : name;
}

function singleQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

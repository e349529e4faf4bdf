import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlCommand } from '../../../reporting/text/curl.ts';
import { request } from '../journal/journal-builders.ts';

/** The arguments of curl: the line runs in a real shell, with a function in place of curl. */
function argumentsOf(line: string, env: Record<string, string> = {}): string[] {
  execFileSync('bash', ['-n', '-c', line]);
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${line}`;
  const output = execFileSync('sh', ['-c', script], {
    env: { PATH: process.env.PATH ?? '', ...env },
    encoding: 'utf8',
  });
  return output.split('\0').slice(0, -1);
}

describe('the curl command of an exchange', () => {
  it('is readable if nothing needs quotes', () => {
    expect(curlCommand(request({ headers: [['Accept', 'application/json']] }))).toBe(
      "curl -i -sS --request GET --header 'Accept: application/json' https://staging.example.com/api/v1/invoices",
    );
  });

  it('takes masked credentials from the environment', () => {
    const line = curlCommand(
      request({
        headers: [
          ['X-API-Key', '<seller.key>'],
          ['X-API-Secret', '<readOnly.secret>'],
        ],
      }),
    );
    expect(line).toContain('--header "X-API-Key: $CONFORMANCE_SELLER_KEY"');
    expect(line).toContain('--header "X-API-Secret: $CONFORMANCE_READ_ONLY_SECRET"');
    const given = argumentsOf(line, { CONFORMANCE_SELLER_KEY: 'k $(id) "', CONFORMANCE_READ_ONLY_SECRET: "s ' `id`" });
    expect(given).toContain('X-API-Key: k $(id) "');
    expect(given).toContain("X-API-Secret: s ' `id`");
  });

  it('uses the variables that the target file names', () => {
    const headers: [string, string][] = [
      ['X-API-Key', '<seller.key>'],
      ['X-API-Secret', '<seller.secret>'],
      ['X-Gateway-Token', '<headers.X-Gateway-Token>'],
    ];
    const variables = { 'seller.key': 'STAGING_KEY', 'headers.X-Gateway-Token': 'GATEWAY' };
    const line = curlCommand(request({ headers }), variables);
    expect(line).toContain('"X-API-Key: $STAGING_KEY"');
    expect(line).toContain('"X-API-Secret: $CONFORMANCE_SELLER_SECRET"');
    expect(line).toContain('"X-Gateway-Token: $GATEWAY"');
  });

  it('takes a header of the target file from a variable with its name', () => {
    const line = curlCommand(request({ headers: [['X-Gateway-Token', '<headers.X-Gateway-Token>']] }));
    expect(line).toContain('--header "X-Gateway-Token: $X_GATEWAY_TOKEN"');
    expect(argumentsOf(line, { X_GATEWAY_TOKEN: "a ' b" })).toContain("X-Gateway-Token: a ' b");
  });

  it('takes masks in the middle of a value from the environment, too', () => {
    const line = curlCommand(request({ headers: [['X-API-Key', '!$x<seller.key>tail<buyer.key>']] }));
    const given = argumentsOf(line, { CONFORMANCE_SELLER_KEY: 'A', CONFORMANCE_BUYER_KEY: 'B' });
    expect(given).toContain('X-API-Key: !$xAtailB');
  });

  it('keeps every other masked value', () => {
    const masked = '<masked: signing secret>';
    expect(argumentsOf(curlCommand(request({ method: 'POST', body: masked })))).toContain(masked);
    expect(argumentsOf(curlCommand(request({ headers: [['X-API-Key', '<nobody.key>']] })))).toContain(
      'X-API-Key: <nobody.key>',
    );
  });

  it.each([
    ['quotes', `'"'"\\'`],
    ['command substitution', '$(touch /tmp/pwned) `id` $HOME'],
    ['separators', '; rm -rf / && echo | cat > x < y # no'],
    ['line breaks and tabs', 'a\nb\r\n\tc\\\n'],
    ['history and globs', '!! * ? [a] {b,c} ~'],
    ['a file reference', '@/etc/passwd'],
    ['an option', '--output /tmp/x'],
    ['control characters', '\u001b[31m\u0007\u007f'],
    ['other scripts', 'é€𝄞\u202e\u2028'],
  ])('passes %s unchanged, in body, header and URL', (_, text) => {
    const url = `https://example.com/${text}`;
    const given = argumentsOf(
      curlCommand(
        request({
          method: 'POST',
          url,
          headers: [
            ['X-Text', text],
            ['Content-Type', 'a/b'],
          ],
          body: text,
        }),
      ),
    );
    expect(given[given.indexOf('--data-raw') + 1]).toBe(text);
    expect(given).toContain(`X-Text: ${text}`);
    expect(given.at(-1)).toBe(url);
  });

  it('omits connection headers', () => {
    const names = ['Host', 'connection', 'Content-Length', 'accept-encoding', 'User-Agent'];
    expect(curlCommand(request({ headers: names.map((name) => [name, 'x']) }))).not.toContain('--header');
  });

  it('sends an empty header, and no content type if none was sent', () => {
    const given = argumentsOf(curlCommand(request({ method: 'POST', headers: [['X-API-Key', '']], body: '{}' })));
    expect(given).toContain('X-API-Key;');
    expect(given).toContain('Content-Type:');
  });

  it('uses the curl option for HEAD that does not wait for a body', () => {
    expect(argumentsOf(curlCommand(request({ method: 'HEAD' })))).toContain('--head');
  });

  it('keeps curl from interpreting the URL', () => {
    expect(curlCommand(request({ url: 'https://example.com/a/../b' }))).toContain('--path-as-is');
    expect(curlCommand(request({ url: 'https://example.com/{id}' }))).toContain('--globoff');
  });

  it('runs even if the body contains characters that a command line cannot contain', () => {
    expect(argumentsOf(curlCommand(request({ method: 'POST', body: 'a\0b' })))).toContain('ab');
  });
});

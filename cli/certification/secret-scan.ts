import { namedSecrets } from '../../engine/target/target-secrets.ts';
import type { PackageContent } from '../../reporting/certification/archive.ts';
import type { Target } from '../../specs/target-file/target.ts';

/** A shorter value would be found in ordinary text, so `conformance certify` accepts no shorter key or secret. */
export const MIN_SECRET_LENGTH = 6;

interface FoundSecret {
  /** The field of the target file. */
  readonly label: string;
  readonly file: string;
}

/**
 * The secrets of the target that the files contain, as they are, or escaped for JSON or URLs, or in Base64. Does not share code with the
 * masking of the evidence, whose defects it must find.
 */
export function findSecrets(content: PackageContent, target: Target): FoundSecret[] {
  const secrets = namedSecrets(target).filter(({ value }) => value.length >= MIN_SECRET_LENGTH);
  return [...content].flatMap(([file, bytes]) => {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return secrets
      .filter(({ value }) => formsOf(value).some((form) => text.includes(form)))
      .map(({ label }) => ({ label, file }));
  });
}

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const texts = [secret, json, json.replaceAll('/', '\\/'), JSON.stringify(json).slice(1, -1), asHtml(secret)];
  const encoded = [secret, json].flatMap((text) => [...percentForms(text), ...base64Forms(text)]);
  const hex = Buffer.from(secret).toString('hex');
  return [...new Set([...texts, ...encoded, hex, hex.toUpperCase()])];
}

function percentForms(text: string): string[] {
  const escaped = encodeURIComponent(text);
  const forms = [
    escaped,
    escaped.replaceAll('%20', '+'),
    new URLSearchParams({ '': text }).toString().slice(1),
    encodeURIComponent(escaped),
  ];
  return forms.flatMap((form) => [form, form.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())]);
}

function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Base64 depends on the bytes around a text: one form for each position in a group of three, without the characters that vary. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
    const form = whole.slice(offset === 0 ? 0 : 4);
    return form.length < MIN_SECRET_LENGTH ? [] : [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

import { namedSecrets } from '../../engine/target/target-secrets.ts';
import type { PackageContent } from '../../reporting/certification/archive.ts';
import type { Target } from '../../specs/target.ts';

/** A shorter value would be found in ordinary text. `conformance certify` accepts no shorter key or secret. */
const MIN_SECRET_LENGTH = 6;

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
  const escaped = encodeURIComponent(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const plain = [secret, json, json.replaceAll('/', '\\/'), JSON.stringify(json).slice(1, -1), escaped];
  const percent = [escaped.toLowerCase(), escaped.replaceAll('%20', '+'), encodeURIComponent(escaped)];
  return [...new Set([...plain, ...percent, Buffer.from(secret).toString('hex'), ...base64Forms(secret)])];
}

/** Base64 depends on the bytes around a secret: one form for each position in a group of three, without the characters that vary. */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
    const form = whole.slice(offset === 0 ? 0 : 4);
    return form.length < MIN_SECRET_LENGTH ? [] : [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

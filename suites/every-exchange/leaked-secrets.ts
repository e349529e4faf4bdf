import { type ApiResponse, describeResponse } from '../../helpers/rules/response-parts.ts';
import { anyResponse, type ExchangeRule, ruling } from '../../helpers/rules/rule-vocabulary.ts';

/** The secret as plain text, as JSON writes it, and in Base64 without the end, which depends on the text that follows. */
function secretEncodings(secret: string): string[] {
  const inBase64 = Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1);
  return [secret, JSON.stringify(secret).slice(1, -1), inBase64];
}

/** The body as received and, if it has escapes such as `\u0073`, also as a parser reads it. */
function textWithDecodedJson({ text, json }: ApiResponse): string {
  return json !== undefined && text.includes('\\u') ? `${text}\n${JSON.stringify(json)}` : text;
}

const leakedSecretRule: ExchangeRule = {
  id: 'KEY-02.never-shown',
  whenNeverApplicable: 'blocked',
  appliesTo: anyResponse,
  start: ({ secrets }) => {
    // A short secret may be an ordinary word of a response.
    const telling = [...secrets]
      .filter(([, secret]) => secret.length >= 8)
      .map(([actor, secret]) => ({ actor, secret, forms: secretEncodings(secret) }));
    return (response) => {
      if (response.text === '') return null;
      const text = textWithDecodedJson(response);
      const shown = telling.find(
        ({ secret, forms }) => forms.some((form) => text.includes(form)) && !response.request.path.includes(secret),
      );
      return ruling(shown === undefined, () => ({
        reason: `the response to ${response.requestLine} contains the secret of the actor ${shown?.actor}`,
        expected: 'no secret in any response (API key: shown once at creation, it cannot be retrieved later)',
        actual: describeResponse(response),
      }));
    };
  },
};

/** No response shows a secret of the target file. */
export const leakedSecretRules: readonly ExchangeRule[] = [leakedSecretRule];

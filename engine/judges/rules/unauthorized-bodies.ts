import { isDeepStrictEqual } from 'node:util';
import { Masks } from '../../evidence/masking/multi-pattern-replacer.ts';
import { type Answer, describe, memberOf } from '../../model/messages.ts';
import { type Judge, judge, ruling } from '../exchange-rule.ts';
import { anyAnswer, isUnauthorized } from '../response-filters.ts';

const oneBody: Judge = {
  id: 'AUTH-05.everywhere',
  unmet: 'blocked',
  speaksOf: isUnauthorized,
  start: () => {
    let first: Answer | undefined;
    return (answer) => {
      first ??= answer;
      const { ask, text, json } = first;
      return ruling(sameBody(first, answer), () => ({
        reason: `the 401 to ${answer.request} (${answer.ask.as}) differs from the first one of the run (${ask.method} ${ask.path}, ${ask.as})`,
        expected: `the same body for every authentication failure: ${json === undefined ? text : JSON.stringify(json)}`,
        actual: describe(answer),
      }));
    };
  },
};

/** Whether two bodies say the same; spacing and the order of members are the serializer's business. */
export function sameBody(one: Pick<Answer, 'json' | 'text'>, other: Pick<Answer, 'json' | 'text'>): boolean {
  if (one.json === undefined || other.json === undefined) return one.text === other.text;
  return isDeepStrictEqual(one.json, other.json);
}

const fields = judge('AUTH-06.fields', isUnauthorized, (answer) => {
  const texts = ['error', 'message'].map((name) => memberOf(answer, name));
  return ruling(
    texts.every((value) => typeof value === 'string' && value !== ''),
    () => ({
      reason: `the 401 to ${answer.request} lacks error or message`,
      expected: 'error and message, both strings (Authentication 3)',
      actual: describe(answer),
    }),
  );
});

const noCode = judge('AUTH-06.no-code', isUnauthorized, (answer) => {
  return ruling(memberOf(answer, 'code') === undefined, () => ({
    reason: `the 401 to ${answer.request} carries a code`,
    expected: 'error and message and no code (Errors, Body)',
    actual: describe(answer),
  }));
});

/** As it is, as JSON writes it, and in Base64 as far as that does not depend on what stands behind it. */
function writtenForms(secret: string): string[] {
  const inBase64 = Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1);
  return [secret, JSON.stringify(secret).slice(1, -1), inBase64];
}

/** The body as it was sent; and as a parser reads it, where it holds letters as `\u0073`. */
function withDecodedJson({ text, json }: Answer): string {
  return json !== undefined && text.includes('\\u') ? `${text}\n${JSON.stringify(json)}` : text;
}

const secretsStaySecret: Judge = {
  id: 'KEY-02.never-shown',
  unmet: 'blocked',
  speaksOf: anyAnswer,
  start: ({ secrets }) => {
    // A short secret may be an ordinary word of some answer.
    const telling = [...secrets]
      .filter(([, secret]) => secret.length >= 8)
      .map(([actor, secret]) => ({ actor, secret, forms: writtenForms(secret) }));
    const all = new Masks();
    for (const { actor, forms } of telling) for (const form of forms) all.add(form, actor);
    return (answer) => {
      if (answer.text === '') return null;
      const text = withDecodedJson(answer);
      // One look for all of them is enough for most.
      if (all.hits(text).length === 0) return 'kept';
      const shown = telling.find(
        ({ secret, forms }) => forms.some((form) => text.includes(form)) && !answer.ask.path.includes(secret),
      );
      return ruling(shown === undefined, () => ({
        reason: `the answer to ${answer.request} holds the secret of the actor ${shown?.actor}`,
        expected: 'no secret in any answer (API key: shown once at creation, it cannot be retrieved later)',
        actual: describe(answer),
      }));
    };
  },
};

/** Judges of what the contract says of every 401, and of secrets. */
export const unauthorizedJudges: readonly Judge[] = [oneBody, fields, noCode, secretsStaySecret];

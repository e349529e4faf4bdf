import { describe, expect, it } from 'vitest';
import { BuildObserver, type Glimpse } from '../../../cli/run/build-observer.ts';

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly text?: string;
  readonly reopened?: boolean;
}

const NO_ANSWER: Glimpse = {
  result: { kind: 'refused', message: 'ECONNREFUSED', remedy: 'start the server' },
  reopened: false,
};

function answer({ status = 401, headers = {}, text = '{"error":"unauthorized"}', reopened = false }: Answer = {}) {
  const result = { status, headers: Object.entries(headers), text, bytes: text.length, truncated: false };
  return { result, reopened };
}

/** The signs of a new build in these responses, in their order. */
function signs(...glimpses: Glimpse[]): (string | null)[] {
  const observer = new BuildObserver();
  return glimpses.map((glimpse) => observer.see(glimpse));
}

const same = answer();

describe('a build observer', () => {
  it('says nothing while the same build answers', () => {
    const changing = Array.from({ length: 9 }, (_, at) =>
      answer({
        headers: { date: `${at}`, 'x-request-id': `${at}`, 'ratelimit-remaining': `${9 - at}`, 'x-build': '1' },
      }),
    );
    expect(signs(...changing)).toEqual(changing.map(() => null));
  });

  it('notices that the server answers again after it was down', () => {
    expect(signs(same, NO_ANSWER, NO_ANSWER, same)).toEqual([null, null, null, 'responds again']);
    expect(signs(same, answer({ status: 502 }), same).at(-1)).toBe('responds again');
    expect(signs(NO_ANSWER, answer({ status: 429 }), same).at(-1)).toBe('responds again');
  });

  it('notices a closed connection, if the server kept connections open before', () => {
    const reopened = answer({ reopened: true });
    expect(signs(reopened, same, same, reopened).at(-1)).toBe('has restarted');
    expect(signs(reopened, reopened, reopened, reopened, reopened).at(-1)).toBeNull();
  });

  it('notices another header or body, if it never changed before', () => {
    const build = (number: string) => answer({ headers: { 'x-build': number } });
    expect(signs(build('1'), build('1'), build('1'), build('2')).at(-1)).toBe('responds with another header x-build');
    expect(signs(same, same, same, answer({ text: '{}' })).at(-1)).toBe('responds with another body');
    const random = (text: string) => answer({ text });
    expect(signs(random('1'), random('2'), random('3'), random('4')).at(-1)).toBeNull();
  });

  it('ignores responses that only say that there were too many requests', () => {
    const limited = answer({ status: 429, text: 'slow down' });
    expect(signs(same, same, same, limited, same, limited)).toEqual([null, null, null, null, null, null]);
  });
});

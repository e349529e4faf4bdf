import { describe, expect, onTestFinished, test } from 'vitest';
import { answering, startFront } from '../support/hostile-proxy.ts';
import { judged } from '../support/judged-run.ts';

describe('a server that redirects every request', () => {
  test.each([301, 302, 303, 307, 308])('with %i is not followed: no credential is sent', async (status) => {
    const elsewhere = await startFront();
    onTestFinished(() => elsewhere.close());
    const location = `${elsewhere.baseUrl}/api/v1/invoices`;
    const front = await startFront({ strikes: () => answering(`${status} Elsewhere`, '', { Location: location }) });
    onTestFinished(() => front.close());
    const { exitCode, said } = await judged(front.target(), { only: ['AUTH-01', 'CREATE-01', 'LIST-01'] });
    // 303 looks like a success for any credentials. The others look like a login page or a wrong base URL.
    expect([exitCode, said]).toEqual([
      2,
      expect.stringMatching(
        status === 303
          ? /^baseUrl: \S+ returns the same response with and without credentials/
          : /^baseUrl: \S+ redirects to http/,
      ),
    ]);
    expect(said).toContain(location);
    expect(elsewhere.requests).toEqual([]);
  });
});

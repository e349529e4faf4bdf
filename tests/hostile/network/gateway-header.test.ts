import { expect, onTestFinished, test, vi } from 'vitest';
import { answering, startFront } from '../support/hostile-proxy.ts';
import { HANDFUL, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: LONGEST_MS });

const TOKEN = 'gw-4f1d/90+aa"c2';

/** The reference service behind a gateway that requires its own headers and shows them in its responses. */
async function startGateway({ from = 1 } = {}) {
  const turnedAway: string[] = [];
  const front = await startFront({
    strikes: (count, { headers, url }) => {
      if (count < from) return null;
      if (headers['x-gateway-token'] === TOKEN && headers.authorization === `Bearer ${TOKEN}`) return null;
      turnedAway.push(String(url));
      return answering('403 Forbidden', 'forbidden', { Server: 'gatekeeper', 'Content-Type': 'text/plain' });
    },
    changes: (response) => ({
      ...response,
      headers: [
        ...response.headers,
        ['X-Gateway-Saw', encodeURIComponent(TOKEN)],
        ['X-Gateway-Kept', Buffer.from(TOKEN).toString('base64')],
      ],
    }),
  });
  onTestFinished(() => front.close());
  return { front, turnedAway };
}

test('the headers of the target file are sent with every request and shown nowhere', async () => {
  const { front, turnedAway } = await startGateway();
  const headers = { 'X-Gateway-Token': TOKEN, Authorization: `Bearer ${TOKEN}` };
  const run = await judged({ ...front.target(), headers }, { only: [...HANDFUL, 'AUTH'] });
  expect(run.exitCode, run.said).toBe(0);
  expect(turnedAway).toEqual([]);
  const written = run.evidence + run.rendered + run.said;
  for (const form of [TOKEN, JSON.stringify(TOKEN).slice(1, -1), encodeURIComponent(TOKEN)])
    expect(written).not.toContain(form);
  expect(run.evidence).toContain('["X-Gateway-Token","<headers.X-Gateway-Token>"]');
});

test('a gateway that rejects everything gives one line, and nothing is judged', async () => {
  const { front } = await startGateway();
  const { exitCode, said } = await judged(front.target());
  expect(exitCode).toBe(2);
  expect(said).toMatch(
    /^headers: .* returns 403 forbidden: an intermediary seems to have responded, .*\(server: gatekeeper\); write/,
  );
});

test('a rejection by the gateway in the middle of a run is named in the reason', async () => {
  const { front } = await startGateway({ from: 60 });
  const { report } = await judged(front.target());
  const told = report?.checks.filter(({ reason }) =>
    reason.includes('an intermediary seems to have responded, not the service (server: gatekeeper)'),
  );
  expect(told?.length).toBeGreaterThan(0);
  expect(told?.map(({ verdict }) => verdict).every((verdict) => verdict === 'fail' || verdict === 'blocked')).toBe(
    true,
  );
});

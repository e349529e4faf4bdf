import { expect, test } from 'vitest';
import { examineServer } from '../../cli/prove/judge-server.ts';
import { findServer } from '../../cli/prove/servers.ts';

const MAX_SHARE = 1.5;

test('a server whose submissions have no effect gets at most half as many more requests', async () => {
  const honest = await examineServer({});
  const broken = await examineServer(findServer({ kind: 'fault', id: 'life-submit-has-no-effect' }));
  expect(broken.requests / honest.requests).toBeLessThan(MAX_SHARE);
});

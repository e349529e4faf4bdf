import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Target } from '../../specs/target.ts';

/** What keeps the receiver of webhooks from listening where the target file says; one line, or none. */
export async function webhookPortProblems({ webhooks }: Pick<Target, 'webhooks'>): Promise<string[]> {
  if (!webhooks) return [];
  const { listen } = webhooks;
  const [, host = '', port = '0'] = /^(.*):(\d+)$/.exec(listen) ?? [];
  if (Number(port) > 65_535)
    return [`webhooks.listen: ${listen} has no such port; write one from 0 (any free one) to 65535`];
  const server = createServer();
  try {
    server.listen(Number(port), host.replace(/^\[|\]$/g, ''));
    await once(server, 'listening');
    return [];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'is taken by another process' : `cannot be listened on (${code})`;
    return [`webhooks.listen: ${listen} ${why}; name a free port, or port 0 for any free one`];
  } finally {
    server.close();
  }
}

import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Target } from '../../specs/target-file/target.ts';

/** The problem if the webhook receiver cannot listen on webhooks.listen: one line, or none. */
export async function webhookPortProblems({ webhooks }: Pick<Target, 'webhooks'>): Promise<string[]> {
  if (!webhooks) return [];
  const { listen } = webhooks;
  const [, host = '', port = '0'] = /^(.*):(\d+)$/.exec(listen) ?? [];
  if (Number(port) > 65_535)
    return [`webhooks.listen: ${listen} has a port above 65535; write a port from 0 (any free port) to 65535`];
  if (Number(port) === 0 && webhooks.publicUrl !== undefined) {
    return [
      `webhooks.listen: ${listen} selects a different port in each run, so webhooks.publicUrl cannot forward to it; write the port that publicUrl forwards to`,
    ];
  }
  const server = createServer();
  try {
    server.listen(Number(port), host.replace(/^\[|\]$/g, ''));
    await once(server, 'listening');
    return [];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'is in use by another process' : `cannot be opened for listening (${code})`;
    const isOfHost = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EINVAL';
    const advice = isOfHost
      ? `write an address of this machine in place of ${host}`
      : 'write a free port, or port 0 for any free port';
    return [`webhooks.listen: ${listen} ${why}; ${advice}`];
  } finally {
    server.close();
  }
}

import type { Call } from '../../service/call.ts';
import type { ServiceResponse } from '../../service/store.ts';

/** "Sending the same `createRequestId` again after the original succeeded returns the original response with no side effects." */
export async function replay(
  { world, organizationId }: Call,
  key: string | undefined,
  perform: () => ServiceResponse | Promise<ServiceResponse>,
): Promise<ServiceResponse> {
  if (key === undefined) return perform();
  // Simultaneous duplicates wait for the first; when that one was refused, the next of them is the original.
  for (let first = world.pendingRequests.get(key); first; first = world.pendingRequests.get(key))
    await waitForCompletion(first);
  const stored = world.replays.get(key);
  if (stored) return stored.answer;

  const original = (async () => perform())();
  world.pendingRequests.set(key, original);
  try {
    const answer = await original;
    if (answer.status < 400) world.replays.set(key, { organizationId, answer });
    return answer;
  } finally {
    world.pendingRequests.delete(key);
  }
}

async function waitForCompletion(work: Promise<ServiceResponse>): Promise<void> {
  await work.catch(() => undefined);
}

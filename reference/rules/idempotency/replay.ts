import type { Call } from '../../service/call.ts';
import type { ServiceResponse } from '../../service/store.ts';

/** "Sending the same `requestId` again after the original succeeded returns the original response with no side effects." */
export async function replay(
  { world: environment, organizationId }: Call,
  key: string | undefined,
  perform: () => ServiceResponse | Promise<ServiceResponse>,
): Promise<ServiceResponse> {
  if (key === undefined) return perform();
  // Concurrent duplicates wait for the first one. If it is rejected, the next one is the original.
  for (let first = environment.pendingRequests.get(key); first; first = environment.pendingRequests.get(key))
    await waitForCompletion(first);
  const stored = environment.replays.get(key);
  if (stored) return stored.answer;

  const original = (async () => perform())();
  environment.pendingRequests.set(key, original);
  try {
    const response = await original;
    if (response.status < 400) environment.replays.set(key, { organizationId, answer: response });
    return response;
  } finally {
    environment.pendingRequests.delete(key);
  }
}

async function waitForCompletion(work: Promise<ServiceResponse>): Promise<void> {
  await work.catch(() => undefined);
}

import { startProxy } from './proxy.ts';

/** A server in front of another one. It holds every request from the given number on, until it is opened. */
export async function startGate(baseUrl: string, holdFrom: number) {
  let open = () => {};
  let reach = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const proxy = await startProxy(baseUrl, {
    onRequest: async (count) => {
      if (count >= holdFrom) {
        reach();
        await opened;
      }
      return true;
    },
  });
  return {
    ...proxy,
    /** Resolves once a request is held. */
    reached,
    open,
  };
}

const known = new WeakMap<object, URL>();

/** The address of a request, taken apart once: what is sent goes just where the guard saw it go. */
export function urlOf(request: { readonly url: string }): URL {
  return takenApart(request, request.url);
}

/** The base address of a target. */
export function baseOf(target: { readonly baseUrl: string }): URL {
  return takenApart(target, target.baseUrl);
}

function takenApart(owner: object, text: string): URL {
  const before = known.get(owner);
  if (before) return before;
  const url = new URL(text);
  known.set(owner, url);
  return url;
}

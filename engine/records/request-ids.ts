import type { ApiResponse } from '../model/messages.ts';

/** The text of a request in which ids are searched: its request line and its body. */
export type RequestText = Pick<ApiResponse, 'requestLine' | 'sentBody'>;

/** Returns a predicate: whether the request names an id, in its path (encoded or not) or as a string in its body. */
export function idsInRequest({ requestLine, sentBody }: RequestText): (id: string) => boolean {
  const paths = requestLine.includes('%') ? [requestLine, decodePath(requestLine)] : [requestLine];
  const inBody = (id: string) => sentBody?.includes(JSON.stringify(id)) ?? false;
  return (id) => id !== '' && (paths.some((path) => containsId(path, id)) || inBody(id));
}

/** The ids of this map that a request names. */
export function idsNamedIn(ids: ReadonlyMap<string, unknown>, asked: RequestText): string[] {
  // Most ids are a whole segment of the path, so most requests need no search for every id.
  const parts = decodePath(asked.requestLine)
    .split(/[^\w-]+/)
    .filter((part) => ids.has(part));
  return parts.length > 0 ? parts : [...ids.keys()].filter(idsInRequest(asked));
}

/** Ignores matches inside a longer id: a short id may be a part of many others. */
function containsId(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + 1)) {
    const around = `${text[at - 1] ?? ''}${text[at + id.length] ?? ''}`;
    if (!/[A-Za-z0-9]/.test(around)) return true;
  }
  return false;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // The target file or an id contains a % that is no escape.
    return path;
  }
}

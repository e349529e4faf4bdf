import type { ApiResponse } from '../model/messages.ts';

/** What was asked for, in its request line and its body. */
export type RequestText = Pick<ApiResponse, 'requestLine' | 'sentBody'>;

/** Tells of ids whether a request names them: in its path, as it is or encoded, or as a text of its body. */
export function idsInRequest({ requestLine, sentBody }: RequestText): (id: string) => boolean {
  const paths = requestLine.includes('%') ? [requestLine, decodePath(requestLine)] : [requestLine];
  const inBody = (id: string) => sentBody?.includes(JSON.stringify(id)) ?? false;
  return (id) => id !== '' && (paths.some((path) => containsId(path, id)) || inBody(id));
}

/** Those of many ids that a request names. */
export function idsNamedIn(ids: ReadonlyMap<string, unknown>, asked: RequestText): string[] {
  // Most are just a part of its path, and need not be looked for one by one.
  const parts = decodePath(asked.requestLine)
    .split(/[^\w-]+/)
    .filter((part) => ids.has(part));
  return parts.length > 0 ? parts : [...ids.keys()].filter(idsInRequest(asked));
}

/** A short id is a part of many others: what goes on before or behind it is another one. */
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
    // A lone % that a target file or an id has put there.
    return path;
  }
}

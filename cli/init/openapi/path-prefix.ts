import { isObject, type JsonObject } from '../../../engine/records/invoice-records.ts';
import type { OpenApiDocument } from './parse-document.ts';

/** The path of the invoice list below the base URL, by contract. */
const LIST_PATH = '/api/v1/invoices';

/**
 * Returns a function from a path of the document to the path below the base URL; null if it is not below it. The list has
 * the same place in every target, so its path in the document shows the prefix. Without it, the servers of the document do.
 */
export function contractPath({ root, paths }: OpenApiDocument, baseUrl: string): (path: string) => string | null {
  const server = serverPath(root);
  const list = Object.keys(paths)
    .filter((path) => /\/invoices\/?$/.test(path))
    .sort((one, other) => one.length - other.length)[0]
    ?.replace(/\/$/, '');
  const whole = (path: string) => (path.startsWith('/') ? `${server}${path}` : `${server}/${path}`);
  if (list !== undefined) {
    const listed = whole(list);
    if (listed.endsWith(LIST_PATH)) return withoutPrefix(listed.slice(0, -LIST_PATH.length), whole);
    const shown = list.startsWith('/') ? list : `/${list}`;
    if (LIST_PATH.endsWith(shown)) {
      const missing = LIST_PATH.slice(0, -shown.length);
      return (path) => `${missing}${path.startsWith('/') ? path : `/${path}`}`;
    }
  }
  return withoutPrefix(new URL(baseUrl).pathname.replace(/\/+$/, ''), whole);
}

function withoutPrefix(prefix: string, whole: (path: string) => string): (path: string) => string | null {
  return (path) => {
    const full = whole(path);
    return full.startsWith(`${prefix}/`) ? full.slice(prefix.length) : null;
  };
}

/** The path that the document's first server, or basePath in Swagger 2, puts before every path. */
function serverPath({ servers, basePath }: JsonObject): string {
  const [first]: unknown[] = Array.isArray(servers) ? servers : [];
  const url = isObject(first) && typeof first.url === 'string' ? withVariables(first.url, first.variables) : basePath;
  if (typeof url !== 'string') return '';
  const path = URL.canParse(url) ? new URL(url).pathname : url.startsWith('/') ? url : `/${url}`;
  return path.replace(/\/+$/, '');
}

function withVariables(url: string, variables: unknown): string {
  return url.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isObject(variable) && typeof variable.default === 'string' ? variable.default : '';
  });
}

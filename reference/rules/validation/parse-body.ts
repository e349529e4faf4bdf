import type { Body, IncomingRequest, Service } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';

/** "Request and response bodies are JSON with `Content-Type: application/json`." */
export function parseBody(_service: Service, { headers, text }: IncomingRequest): Body {
  if (text === '') return {};
  if (mediaType(headers) !== 'application/json')
    throw rejections.unreadableBody('Content-Type must be application/json');
  const value = parseJson(text);
  if (!isObject(value)) throw rejections.unreadableBody('The body must be a JSON object');
  return value;
}

function mediaType(headers: Headers): string | undefined {
  return headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw rejections.unreadableBody('The body is not well-formed JSON');
  }
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

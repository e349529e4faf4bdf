import { type ApiResponse, bodyMember } from '../model/messages.ts';
import { isObject } from '../records/invoice-records.ts';
import { isServiceBody } from './intermediary.ts';
import { isWebPage } from './operation-binding.ts';

type ReceivedResponse = Pick<ApiResponse, 'status' | 'headers' | 'text' | 'json' | 'mask'>;

/** Products by what their error pages contain. */
const PAGES: readonly (readonly [product: string, content: RegExp])[] = [
  ['nginx', /<center>(nginx|openresty)\b/i],
  ['Apache', /<address>Apache\b/i],
  ['Cloudflare', /\bcloudflare\b|^error code: \d+/i],
  ['a load balancer of AWS', /<center>awselb\b|<hr><center>Microsoft-Azure-Application-Gateway/i],
  ['Varnish', /\bVarnish cache server\b/i],
  ['HAProxy', /^<html><body><h1>\d{3} [^<]+<\/h1>\s*\n/i],
  ['Envoy', /^(upstream connect error|no healthy upstream|upstream request timeout)\b/],
  ['a router in Go, such as Traefik', /^404 page not found\s*$/],
];

/** The members of an error of an API gateway, such as AWS API Gateway, Kong or Azure API Management. */
const GATEWAY_MEMBERS: ReadonlySet<string> = new Set(['message', 'Message', 'request_id', 'requestId', 'statusCode']);

/**
 * A hint, which decides no verdict, that the body of an error has the form of a gateway, a router or a load balancer,
 * and not that of the contract.
 */
export function gatewayBodyHint(response: ReceivedResponse): string | null {
  if (response.status < 400 || isServiceBody(response)) return null;
  const product = productOf(response);
  return (
    product && `a layer in front of the service seems to have written this response (the body is that of ${product})`
  );
}

function productOf(response: ReceivedResponse): string | null {
  const { json, text } = response;
  if (json === undefined) {
    const known = PAGES.find(([, content]) => content.test(text));
    return known?.[0] ?? (isWebPage(response) ? 'a web page' : null);
  }
  if (isObject(bodyMember(response, 'fault'))) return 'an API gateway, with a fault';
  const members = isObject(json) ? Object.keys(json) : [];
  const isGateway =
    members.some((name) => /^message$/i.test(name)) && members.every((name) => GATEWAY_MEMBERS.has(name));
  return isGateway ? 'an API gateway, with a message alone' : null;
}

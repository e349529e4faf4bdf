import type { CheckId } from '../../../specs/generated/ids.ts';
import type { Fault } from '../fault.ts';
import { type ResponseFilter, statusFilter } from '../support/response-filters.ts';

const NGINX = (title: string) =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;

const page = (
  id: string,
  defect: string,
  caughtBy: readonly CheckId[],
  concerns: ResponseFilter,
  text: string,
  type: string,
): Fault => ({
  id,
  requirement: caughtBy[0]?.split('.')[0] ?? '',
  defect,
  caughtBy,
  rewrite: (request, response) =>
    concerns(request, response)
      ? new Response(text, { status: response.status, headers: { 'Content-Type': type } })
      : response,
});

const json = (body: unknown) => JSON.stringify(body);

export const errorsFrontLayersFaults: readonly Fault[] = [
  page(
    'err-layer-401-page',
    'The gateway rejects invalid credentials with its own page.',
    ['ERR-01.parses'],
    statusFilter(401),
    NGINX('401 Authorization Required'),
    'text/html',
  ),
  page(
    'err-layer-401-message',
    'The API gateway rejects invalid credentials with {"message":"Unauthorized"}.',
    ['AUTH-06.fields'],
    statusFilter(401),
    json({ message: 'Unauthorized' }),
    'application/json',
  ),
  page(
    'err-layer-404-text',
    'The router in front writes every 404 as text.',
    ['ERR-01.parses'],
    statusFilter(404),
    '404 page not found\n',
    'text/plain; charset=utf-8',
  ),
  page(
    'err-layer-404-message',
    'The API gateway writes every 404 in its own form.',
    ['ERR-02.error'],
    statusFilter(404),
    json({ message: 'no Route matched with those values' }),
    'application/json; charset=utf-8',
  ),
  {
    ...page(
      'err-layer-403-fault',
      'The API gateway rejects a missing permission with its own fault object.',
      ['ERR-02.error'],
      statusFilter(403),
      json({ fault: { faultstring: 'Access denied', detail: { errorcode: 'oauth.v2.InvalidAccess' } } }),
      'application/json',
    ),
    alsoRun: ['PERM-01.create'],
  },
  page(
    'err-layer-400-page',
    'The firewall in front replaces the body of every 400 by its page.',
    ['ERR-01.parses'],
    statusFilter(400),
    NGINX('400 Bad Request'),
    'text/html',
  ),
];

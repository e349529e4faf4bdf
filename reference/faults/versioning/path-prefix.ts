import type { Fault } from '../fault.ts';

export const versioningPathPrefixFaults: readonly Fault[] = [
  {
    id: 'version-moved',
    requirement: 'VER-01',
    defect: 'The list without a query has moved to /api/v2, and the old path returns 404.',
    caughtBy: ['VER-01.prefix'],
    rewrite: (request, response) => {
      const { pathname, search } = new URL(request.url);
      if (request.method !== 'GET' || pathname !== '/api/v1/invoices' || search !== '') return response;
      if (response.status !== 200) return response;
      const body = JSON.stringify({ error: 'Gone: use /api/v2', code: 'VER001' });
      return new Response(body, { status: 410, headers: { 'Content-Type': 'application/json' } });
    },
  },
];

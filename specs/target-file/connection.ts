import { z } from 'zod';
import { credential } from './actors.ts';

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header');

/** The parts of a URL that a base URL cannot have. They may contain secrets, so no value is part of the text. */
function superfluousParts(url: string): string[] {
  const [beforeFragment = ''] = url.split('#');
  const hasUser = URL.canParse(url) && (new URL(url).username !== '' || new URL(url).password !== '');
  return [
    ...(hasUser ? ['a user or a password'] : []),
    ...(beforeFragment.includes('?') ? ['a query (from ? on)'] : []),
    ...(url.includes('#') ? ['a fragment (from # on)'] : []),
  ];
}

export const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
  .superRefine((url, context) => {
    const found = superfluousParts(url);
    if (found.length > 0)
      context.addIssue({ code: 'custom', message: `contains ${found.join(' and ')}; write the URL without it` });
  })
  .meta({
    description:
      'Absolute http or https URL of the server, optionally with a path prefix, without user, query and fragment. The paths of operations are appended to it.',
    examples: ['https://staging.example.com', 'https://gateway.example.com/tenants/acme'],
  });

/** PEM files, relative to the folder of the target file. */
export const tls = z
  .strictObject({
    ca: z
      .string()
      .min(1)
      .optional()
      .meta({
        description:
          'PEM file with certificate authorities to trust. Without it, only the well-known authorities are trusted; with it, they stay trusted.',
        examples: ['authority.pem'],
      }),
    certificate: z
      .string()
      .min(1)
      .optional()
      .meta({
        description:
          'PEM file with the client certificate, for a server that requires one. Write `tls.key` as well. Without it, the kit presents no certificate.',
        examples: ['client.pem'],
      }),
    key: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'PEM file with the key of `tls.certificate`.', examples: ['client.key'] }),
    passphrase: z
      .string()
      .min(1)
      .optional()
      .meta({
        description: 'Passphrase of an encrypted `tls.key`, as a reference to an environment variable.',
        examples: ['${TLS_PASSPHRASE}'],
      }),
  })
  .refine(
    ({ certificate, key }) => (certificate === undefined) === (key === undefined),
    'contains only one of certificate and key; write both or neither',
  )
  .optional()
  .meta({
    description: 'Certificates of https connections. Paths are relative to the folder of the target file.',
    examples: [{ ca: 'authority.pem', certificate: 'client.pem', key: 'client.key' }],
  });

export const proxy = z
  .union([z.enum(['environment', 'none']), z.url({ protocol: /^https?$/ })], {
    error: 'must be environment, none or the http or https URL of a proxy',
  })
  .default('environment')
  .meta({
    description:
      'The proxy of the requests: `environment` uses HTTPS_PROXY, HTTP_PROXY and NO_PROXY, `none` uses no proxy, and a URL names one. Requests to loopback addresses never use a proxy.',
    examples: ['http://proxy.example.com:3128', 'none'],
  });

export const headers = z
  .record(headerName, credential)
  .default({})
  .meta({
    description:
      'Headers that the kit adds to every request, such as the token of a gateway. Their values are masked like secrets. Headers that the kit sets itself are not allowed.',
    examples: [{ 'X-Gateway-Token': '${GATEWAY_TOKEN}' }],
  });

export const webhooks = z
  .strictObject({
    listen: z
      .string()
      .regex(/^.+:\d{1,5}$/, 'must be address:port')
      .refine(
        (address) => Number(address.split(':').at(-1)) <= 65_535,
        'has a port above 65535; write a port from 0 (any free port) to 65535',
      )
      .default('127.0.0.1:0')
      .meta({
        description: 'Address and port on which the kit receives deliveries. Port 0 selects a free port.',
        examples: ['0.0.0.0:8999'],
      }),
    publicUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .meta({
        description:
          'The http or https URL at which the server reaches `webhooks.listen`. Set it if the server runs on another machine or behind a tunnel. Without it, the server is given the address itself.',
        examples: ['https://tunnel.example.com'],
      }),
  })
  .optional()
  .meta({
    description:
      'Where the kit receives webhook deliveries. Without it, the kit listens on a free port of 127.0.0.1, which only a server on the same machine reaches.',
    examples: [{ listen: '0.0.0.0:8999', publicUrl: 'https://tunnel.example.com' }],
  });

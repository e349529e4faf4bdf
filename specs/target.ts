import { z } from 'zod';
import { implementation } from './journal.ts';

export const ACTOR_NAMES = ['seller', 'buyer', 'outsider', 'readOnly', 'revoked', 'production'] as const;
export const actorName = z.enum(ACTOR_NAMES);
export type ActorName = z.infer<typeof actorName>;

const credential = z
  .string()
  .min(1, 'must not be empty')
  .regex(
    /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/,
    'must be printable ASCII without leading or trailing spaces, because it is sent as a header',
  );

const organizationId = z.string().regex(/^\S(.*\S)?$/, 'must not be empty or have leading or trailing spaces');

const actor = z.strictObject({
  key: credential,
  secret: credential,
  organizationId: organizationId.optional(),
});

const path = z.string().regex(/^\/[^\s#]*$/, 'must begin with / and contain no space or #');

const operation = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path,
  /** The party that may perform it; by default, the kit finds out. */
  actor: z.enum(['seller', 'buyer']).optional(),
  /** Any JSON members; the placeholders {text}, {requestId}, {amount} and {id} in their strings are filled in. */
  body: z.record(z.string(), z.json()).optional(),
});
export type OperationTemplate = z.infer<typeof operation>;

const withdrawal = operation.extend({
  /** Whether the sandbox accepts withdrawals without changing a balance. */
  simulated: z.boolean().optional(),
});

const operationOnId = operation.refine(
  ({ path: template, body }) => template.includes('{id}') || (JSON.stringify(body) ?? '').includes('{id}'),
  'contains {id} neither in the path nor in the body; write {id} in place of the id of the record',
);

/** Written in place of a binding for an operation that the service does not offer. */
export const NOT_OFFERED = 'not-offered';

export const OPERATION_NAMES = [
  'read',
  'submit',
  'approve',
  'dispute',
  'cancel',
  'settle',
  'delete',
  'resolve',
  'treasuryBalance',
  'treasuryWithdraw',
  'webhookList',
  'webhookDelete',
] as const;
export type OperationName = (typeof OPERATION_NAMES)[number];

export function isOperationName(name: string): name is OperationName {
  return (OPERATION_NAMES as readonly string[]).includes(name);
}

const orNotOffered = <T extends z.ZodType>(template: T) => z.union([template, z.literal(NOT_OFFERED)]).optional();

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header');

/** The content of a target file, with environment references already filled in. */
export const targetFile = z.strictObject({
  name: z.string().min(1).optional(),
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
    .refine(
      (url) => !/[?#]/.test(url) && !(URL.canParse(url) && (new URL(url).username || new URL(url).password)),
      'contains a user, a query or a fragment; write the URL without it',
    ),
  implementation: implementation.optional(),
  /** PEM files, relative to the folder of the target file. */
  tls: z
    .strictObject({
      /** Certificate authorities to trust in addition to the well-known ones. */
      ca: z.string().min(1).optional(),
      /** The client certificate for servers that require one, with its key. */
      certificate: z.string().min(1).optional(),
      key: z.string().min(1).optional(),
      passphrase: z.string().min(1).optional(),
    })
    .refine(
      ({ certificate, key }) => (certificate === undefined) === (key === undefined),
      'contains only one of certificate and key; write both or neither',
    )
    .optional(),
  /** `environment` (HTTPS_PROXY, HTTP_PROXY, NO_PROXY), the URL of a proxy, or `none`. */
  proxy: z
    .union([z.enum(['environment', 'none']), z.url({ protocol: /^https?$/ })], {
      error: 'must be environment, none or the http or https URL of a proxy',
    })
    .default('environment'),
  /** Headers of every request, such as the token of a gateway; masked like secrets. */
  headers: z.record(headerName, credential).default({}),
  actors: z
    .strictObject({
      seller: actor.optional(),
      buyer: actor.optional(),
      outsider: actor.optional(),
      readOnly: actor.optional(),
      revoked: actor.optional(),
      production: actor.optional(),
    })
    .refine(
      (actors) => actors.seller ?? actors.buyer,
      'contains neither seller nor buyer; write one of them: { key: ${SELLER_KEY}, secret: ${SELLER_SECRET} }',
    ),
  counterparties: z
    .strictObject({ unconnected: organizationId.optional(), suspended: organizationId.optional() })
    .default({}),
  operations: z
    .strictObject({
      read: orNotOffered(operationOnId),
      submit: orNotOffered(operationOnId),
      approve: orNotOffered(operationOnId),
      dispute: orNotOffered(operationOnId),
      cancel: orNotOffered(operationOnId),
      settle: orNotOffered(operationOnId),
      delete: orNotOffered(operationOnId),
      resolve: orNotOffered(operationOnId),
      treasuryBalance: orNotOffered(operation),
      treasuryWithdraw: orNotOffered(withdrawal),
      webhookList: orNotOffered(operation),
      webhookDelete: orNotOffered(operationOnId),
    })
    .default({}),
  limits: z
    .strictObject({
      /** Maximum number of concurrent requests. */
      concurrency: z.number().int().min(1).max(256).default(16),
      requestsPerSecond: z.union([z.literal('none'), z.number().positive()]).default('none'),
      /** A quota of the server: the run stays below it from the start. */
      requestsPerMinute: z.union([z.literal('none'), z.number().positive()]).default('none'),
      /** Milliseconds from the first byte sent to the last byte received. */
      requestTimeoutMs: z.number().int().min(10).max(600_000).default(10_000),
      /** Milliseconds within which the effect of an accepted action must show. */
      settleWithinMs: z.number().int().min(0).max(600_000).default(5_000),
      /** Milliseconds within which a sleeping server responds to its first request. */
      startWithinMs: z.number().int().min(0).max(600_000).default(0),
      /** The largest total that one run may withdraw. */
      withdrawAtMost: z
        .string()
        .regex(/^\d+\.\d{2}$/, 'must be an amount with two decimal places in quotes, such as "1000.00"')
        .default('1000.00'),
      /** The maximum number of requests of a run, for any purpose. */
      maxRequests: z.union([z.literal('none'), z.number().int().positive()]).default('none'),
      /** Milliseconds after which a run sends no new requests. */
      deadlineMs: z.union([z.literal('none'), z.number().int().min(1000).max(86_400_000)]).default('none'),
    })
    .prefault({}),
  allow: z
    .strictObject({
      reset: z.boolean().default(false),
      rateLimitProbe: z.boolean().default(false),
      /** Allows mutations with the key or the name of production, for a stack that is discarded afterwards. */
      productionWrites: z.boolean().default(false),
    })
    .prefault({}),
  webhooks: z
    .strictObject({
      /** Address and port on which the kit receives deliveries; port 0 means any free port. */
      listen: z
        .string()
        .regex(/^.+:\d{1,5}$/, 'must be address:port')
        .refine(
          (address) => Number(address.split(':').at(-1)) <= 65_535,
          'has a port above 65535; write a port from 0 (any free port) to 65535',
        )
        .default('127.0.0.1:0'),
      /** The URL at which the target reaches that receiver, if it is on another machine. */
      publicUrl: z.url({ protocol: /^https?$/ }).optional(),
    })
    .optional(),
  /** The location of the JSON Schema of this file, for editors. */
  $schema: z.string().optional(),
});

export type TargetInput = z.input<typeof targetFile>;
/** The content of a target file without operations declared `not-offered`. */
export type BoundTargetInput = Omit<TargetInput, 'operations'> & {
  operations?: Target['operations'] & { treasuryWithdraw?: z.infer<typeof withdrawal> };
};
type TargetFile = z.output<typeof targetFile>;

/** A validated target, from target file, flags and environment. */
export interface Target extends Omit<TargetFile, 'operations'> {
  /** The bound operations. */
  operations: Partial<Record<OperationName, OperationTemplate>>;
  /** The operations that the file declares `not-offered`. */
  notOffered: OperationName[];
  /** Whether the file says that withdrawals are only simulated: accepted, and without an effect on any balance. */
  simulatesWithdrawals: boolean;
  /** The environment variable that contains the value of `proxy`. */
  proxyVariable?: string;
  /** The variables that the file names for keys, secrets and headers: `{ 'seller.key': 'SELLER_KEY' }`. */
  secretVariables?: Readonly<Record<string, string>>;
}

/** The target for the validated content of a file. */
export function createTarget({ operations, ...rest }: TargetFile): Target {
  const bound: Target['operations'] = {};
  for (const name of OPERATION_NAMES) {
    const template = operations[name];
    if (template !== undefined && template !== NOT_OFFERED) bound[name] = template;
  }
  const { treasuryWithdraw } = operations;
  const simulatesWithdrawals = typeof treasuryWithdraw === 'object' && treasuryWithdraw.simulated === true;
  const notOffered = OPERATION_NAMES.filter((name) => operations[name] === NOT_OFFERED);
  return { ...rest, operations: bound, notOffered, simulatesWithdrawals };
}

/** The target for the content of a file. Throws a ZodError. */
export function parseTarget(content: unknown): Target {
  return createTarget(targetFile.parse(content));
}

/** The name under which reports and comparisons know a target: `name` of its file, or the host. */
export function targetName({ name, baseUrl }: Pick<Target, 'name' | 'baseUrl'>): string {
  return name ?? new URL(baseUrl).host;
}

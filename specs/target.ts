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
    'must be printable ASCII without spaces at its ends, as a header value is',
  );

const actor = z.strictObject({
  key: credential,
  secret: credential,
  organizationId: z.string().min(1).optional(),
});

const path = z.string().regex(/^\//, 'must begin with /');

const operation = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path,
  /** Who may perform it; the kit's guess by default. */
  actor: z.enum(['seller', 'buyer']).optional(),
  /** Any JSON; the strings {text}, {requestId}, {amount} and {id} in it are filled in. */
  body: z.json().optional(),
});
export type OperationTemplate = z.infer<typeof operation>;

const onInvoice = operation.refine(
  ({ path: template, body }) => template.includes('{id}') || (JSON.stringify(body) ?? '').includes('{id}'),
  'must hold {id}, in the path or in the body',
);

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
] as const;
export type OperationName = (typeof OPERATION_NAMES)[number];

/** The target file, with environment references already filled in. */
export const targetFile = z.strictObject({
  name: z.string().min(1).optional(),
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
    .refine(
      (url) => URL.canParse(url) && !new URL(url).username && !new URL(url).search && !new URL(url).hash,
      'must hold no user, query or fragment',
    ),
  implementation: implementation.optional(),
  /** A PEM file with certificate authorities to trust beside the well-known ones, named from the target file's folder. */
  ca: z.string().min(1).optional(),
  actors: z
    .strictObject({
      seller: actor.optional(),
      buyer: actor.optional(),
      outsider: actor.optional(),
      readOnly: actor.optional(),
      revoked: actor.optional(),
      production: actor.optional(),
    })
    .refine((actors) => actors.seller ?? actors.buyer, 'must hold the seller or the buyer'),
  counterparties: z
    .strictObject({ unconnected: z.string().min(1).optional(), suspended: z.string().min(1).optional() })
    .default({}),
  operations: z
    .strictObject({
      read: onInvoice.optional(),
      submit: onInvoice.optional(),
      approve: onInvoice.optional(),
      dispute: onInvoice.optional(),
      cancel: onInvoice.optional(),
      settle: onInvoice.optional(),
      delete: onInvoice.optional(),
      resolve: onInvoice.optional(),
      treasuryBalance: operation.optional(),
      treasuryWithdraw: operation.optional(),
    })
    .default({}),
  limits: z
    .strictObject({
      /** Requests under way at once. */
      concurrency: z.number().int().min(1).max(256).default(16),
      requestsPerSecond: z.union([z.literal('none'), z.number().positive()]).default('none'),
      /** Milliseconds from the first byte sent to the last byte received. */
      requestTimeoutMs: z.number().int().min(10).max(600_000).default(10_000),
      /** Milliseconds within which an accepted action shows. */
      settleWithinMs: z.number().int().min(0).max(600_000).default(5_000),
      /** Requests that a run may send in all, whatever they are for. */
      maxRequests: z.union([z.literal('none'), z.number().int().positive()]).default('none'),
      /** Milliseconds after which a run asks nothing more. */
      deadlineMs: z.union([z.literal('none'), z.number().int().min(1000).max(86_400_000)]).default('none'),
    })
    .prefault({}),
  allow: z.strictObject({ reset: z.boolean().default(false), rateLimitProbe: z.boolean().default(false) }).prefault({}),
  webhooks: z
    .strictObject({
      /** Address and port on which the kit receives deliveries; port 0 takes a free one. */
      listen: z
        .string()
        .regex(/^.+:\d{1,5}$/, 'must be address:port')
        .default('127.0.0.1:0'),
      /** The address under which the target reaches that receiver, when it is not the same machine. */
      publicUrl: z.url().optional(),
    })
    .optional(),
});

/** A validated target: what a target file, flags and environment together say. */
export type Target = z.infer<typeof targetFile>;
export type TargetInput = z.input<typeof targetFile>;

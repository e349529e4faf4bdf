import { z } from 'zod';
import { implementation } from '../formats/journal.ts';
import { actors, counterparties } from './actors.ts';
import { baseUrl, headers, proxy, tls, webhooks } from './connection.ts';
import { allow, limits } from './limits.ts';
import { NOT_OFFERED, type operation, operations, type withdrawal } from './operations.ts';

export const ACTOR_NAMES = ['seller', 'buyer', 'outsider', 'readOnly', 'revoked', 'production'] as const;
export const actorName = z.enum(ACTOR_NAMES);
export type ActorName = z.infer<typeof actorName>;

export type OperationTemplate = z.infer<typeof operation>;

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

/** The content of a target file, with environment references already filled in. */
export const targetFile = z.strictObject({
  name: z
    .string()
    .min(1)
    .optional()
    .meta({
      description: 'Name of the server in reports and comparisons. Without it, they show the host of `baseUrl`.',
      examples: ['Staging gateway'],
    }),
  baseUrl,
  implementation: implementation.optional().meta({
    description: 'The implementation that the report names. Without it, the report names none.',
    examples: [{ vendor: 'Example', product: 'gateway', version: '4.2.0' }],
  }),
  tls,
  proxy,
  headers,
  actors,
  counterparties,
  operations,
  limits,
  allow,
  webhooks,
  $schema: z
    .string()
    .optional()
    .meta({
      description: 'Location of the JSON Schema of this file. Editors use it for completion; the kit ignores it.',
      examples: ['./target.schema.json'],
    }),
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

import type { OperationName } from '../../../specs/target-file/target.ts';
import { type Candidate, unknownMembers } from './action-candidates.ts';
import { bodyForms } from './body-schema.ts';
import { fillBody } from './body-template.ts';
import type { DocumentedOperation } from './documented-operations.ts';
import type { LocalReferences } from './local-references.ts';

/** The operations that are no actions of the lifecycle. */
export type OtherOperation = Extract<
  OperationName,
  'read' | 'treasuryBalance' | 'treasuryWithdraw' | 'webhookList' | 'webhookDelete'
>;

interface Shape {
  methods: readonly DocumentedOperation['method'][];
  /** The end of its path. */
  path: RegExp;
  /** Its path in most services. */
  usual: RegExp;
  parameterCount: 0 | 1;
}

const SHAPES: Record<OtherOperation, Shape> = {
  read: {
    methods: ['GET'],
    path: /\/invoices?\/\{id\}\/?$/i,
    usual: /^\/api\/v1\/invoices\/\{id\}$/,
    parameterCount: 1,
  },
  treasuryBalance: {
    methods: ['GET', 'POST'],
    path: /\/(balances?|treasury)\/?$/i,
    usual: /\/treasury\/balances?\/?$/i,
    parameterCount: 0,
  },
  treasuryWithdraw: {
    methods: ['POST', 'PUT'],
    path: /\/(withdraw|withdrawals?|payouts?)\/?$/i,
    usual: /\/treasury\/withdraw(als?)?\/?$/i,
    parameterCount: 0,
  },
  webhookList: {
    methods: ['GET'],
    path: /\/webhooks?(\/subscriptions?)?\/?$/i,
    usual: /^\/api\/v1\/settings\/webhooks$/,
    parameterCount: 0,
  },
  webhookDelete: {
    methods: ['DELETE'],
    path: /\/webhooks?(\/subscriptions?)?\/\{id\}\/?$/i,
    usual: /^\/api\/v1\/settings\/webhooks\/\{id\}$/,
    parameterCount: 1,
  },
};

const INVOICE_SEGMENT = /\/invoices?(\/|$)/i;
const SCORES = { path: 4, usual: 3, get: 1 };
const DEPRECATED_SCORE = -6;

/** The requests of an operation of the document that may be the operation of that name. */
export function otherCandidates(
  name: OtherOperation,
  operation: DocumentedOperation,
  references: LocalReferences,
): Candidate[] {
  const { methods, path: end, usual, parameterCount } = SHAPES[name];
  const { method, path } = operation;
  if (!methods.includes(method) || operation.parameterCount !== parameterCount || !end.test(path)) return [];
  if (name.startsWith('treasury') && INVOICE_SEGMENT.test(path)) return [];
  const score =
    SCORES.path +
    (usual.test(path) ? SCORES.usual : 0) +
    (method === 'GET' ? SCORES.get : 0) +
    (operation.isDeprecated ? DEPRECATED_SCORE : 0);
  // A GET or DELETE has no body.
  const forms = method === 'POST' || method === 'PUT' ? bodyForms(operation.bodySchema, references) : [];
  if (forms.length === 0) return [{ template: { method, path }, score, obstacle: operation.obstacle }];
  return forms.map((form) => {
    const { body, unknown } = fillBody(form, { operation: name, hasIdInPath: parameterCount === 1 });
    const template = { method, path, ...(body !== undefined && { body }) };
    return { template, score, obstacle: operation.obstacle ?? unknownMembers(unknown) };
  });
}

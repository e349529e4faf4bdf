import { namesOnlyAction } from '../../../engine/diagnosis/action-words.ts';
import type { InvoiceAction } from '../../../specs/contract/lifecycle.ts';
import type { OperationTemplate } from '../../../specs/target-file/target.ts';
import { allowedTexts, type BodyForm, bodyForms } from './body-schema.ts';
import { fillBody } from './body-template.ts';
import type { DocumentedOperation } from './documented-operations.ts';
import type { LocalReferences } from './local-references.ts';

/** A possible binding of an operation. */
export interface Candidate {
  template: OperationTemplate;
  /** How clearly the document names the operation. */
  score: number;
  /** Why the request would be rejected; null if it would not. */
  obstacle: string | null;
}

const SCORES = { exactPath: 8, synonymPath: 5, value: 4, operationId: 4, sameId: 3, similarId: 1, usualPlace: 2 };
const DEPRECATED_SCORE = -6;
const USUAL_PLACE = /^\/api\/v1\/invoices\//;
const INVOICE_SEGMENT = /\/invoices?(\/|$)/i;
const INVOICE_ID_NAME = /^invoice[_-]?id$/i;
/** Words of an operationId that name no action. */
const FILLER_WORDS = /^(invoices?|controller|api|v\d+|by|id|an?|the|post|put|patch|delete|using|action|status|do)$/;
const PLACE: Pick<OperationTemplate, 'method' | 'path'> = { method: 'POST', path: '/invoices/{id}' };

/** The requests of an operation that may perform an action on an invoice. */
export function actionCandidates(
  action: InvoiceAction,
  operation: DocumentedOperation,
  references: LocalReferences,
): Candidate[] {
  const { method, path, operationId } = operation;
  const hasIdInPath = operation.parameterCount === 1;
  if (method === 'GET' || (hasIdInPath && !INVOICE_SEGMENT.test(path))) return [];
  const isDeletion = method === 'DELETE' && action === 'delete' && /\/invoices?\/\{id\}\/?$/i.test(path);
  if (method === 'DELETE' && !isDeletion) return [];
  const byPath = namesOnlyAction(action, { method, path });
  const byId = operationIdScore(action, operationId);
  const isNeutral = namesOnlyAction('submit', { method, path, body: { status: 'submit' } });
  if (!byPath && byId < SCORES.sameId && !isNeutral) return [];
  const all: BodyForm[] = bodyForms(operation.bodySchema, references);
  const forms = all.length > 0 ? all : [{ properties: new Map(), required: new Set<string>() }];
  return forms.flatMap((form) => {
    if (!hasIdInPath && ![...form.properties.keys()].some((name) => INVOICE_ID_NAME.test(name))) return [];
    const fixed = namedValues(action, form);
    const isByValue = isNeutral && !byPath && Object.keys(fixed).length > 0;
    if (!byPath && byId < SCORES.sameId && !isByValue) return [];
    const { body, unknown } = fillBody(form, { operation: action, hasIdInPath, fixed });
    const isExact = isDeletion || new RegExp(`[/:_-]${action}([/:_-]|$)`, 'i').test(path);
    const named = byPath
      ? isExact
        ? SCORES.exactPath
        : SCORES.synonymPath
      : isByValue
        ? SCORES.value
        : SCORES.operationId;
    const place = USUAL_PLACE.test(path) ? SCORES.usualPlace : 0;
    const score = named + byId + place + (operation.isDeprecated ? DEPRECATED_SCORE : 0);
    return [
      {
        template: { method, path, ...(body !== undefined && { body }) },
        score,
        obstacle: operation.obstacle ?? unknownMembers(unknown),
      },
    ];
  });
}

export function unknownMembers(names: readonly string[]): string | null {
  return names.length === 0 ? null : `requires ${names.map((name) => `body.${name}`).join(', ')}`;
}

/** Members whose allowed values name the action: `status: APPROVED`. */
function namedValues(action: InvoiceAction, { properties }: BodyForm): Record<string, string> {
  return Object.fromEntries(
    [...properties].flatMap(([name, schema]) => {
      const named = allowedTexts(schema).find((text) => isNameOf(action, text));
      return named === undefined ? [] : [[name, named]];
    }),
  );
}

function isNameOf(action: InvoiceAction, text: string): boolean {
  // RESOLVED and DELETED are no states of the contract, so action-words does not know them.
  return [text, text.replace(/d$/i, '')].some((word) => namesOnlyAction(action, { ...PLACE, body: { word } }));
}

/** How clearly an operationId such as `approveInvoice` or `InvoicesController_approve` names the action. */
function operationIdScore(action: InvoiceAction, operationId: string): number {
  const words = operationId
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const telling = words.filter((word) => word === action || !FILLER_WORDS.test(word));
  const [only] = telling;
  if (telling.length !== 1 || only === undefined) return 0;
  if (only === action) return SCORES.sameId;
  return isNameOf(action, only) ? SCORES.similarId : 0;
}

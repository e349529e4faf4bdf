import { type InvoiceAction, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { OperationTemplate } from '../../specs/target-file/target.ts';

/** Synonyms that services use for an action, in addition to its name and its resulting state. */
const ACTION_SYNONYMS: Record<InvoiceAction, RegExp> = {
  submit: /^(send|issue|finali[sz]e|publish|submission)$/,
  approve: /^(approval|accept|acceptance|confirm|confirmation)$/,
  dispute: /^(reject|rejection|contest|object|objection|claim)$/,
  cancel: /^(cancel+ation|void|revoke|withdraw|withdrawal)$/,
  settle: /^(settlement|pay|payment|paid)$/,
  resolve: /^(resolution)$/,
  delete: /^(deletion|remove|removal|discard)$/,
};

/** Words that do not identify an action. */
const NEUTRAL_WORDS =
  /^(api|v\d+|invoices?|orgs?|organi[sz]ations?|tenants?|actions?|status|state|transitions?|events?|commands?|operations?|lifecycle|perform|execute|do|self|id|text|amount|requestid)$/;

/**
 * Whether a binding names only the action: `/invoices/{id}/approve`, `PATCH … {"status": "APPROVED"}`. False if it
 * also names something else, such as a reminder, a preview or a schedule, or if it does not name the action.
 */
export function namesOnlyAction(action: InvoiceAction, { method, path, body }: OperationTemplate): boolean {
  // The contract is of v1.
  if (/\/v(?!1\/)\d+\//.test(path)) return false;
  const behindId = path.includes('{id}') ? path.slice(path.indexOf('{id}')) : path;
  const inPath = wordsOf(behindId).filter((word) => !NEUTRAL_WORDS.test(word));
  if (inPath.some((word) => !isActionWord(action, word))) return false;
  const flags = Object.entries(body ?? {}).flatMap(([name, value]) => (typeof value === 'boolean' ? [name] : []));
  if (flags.length > 0) return false;
  return (
    inPath.length > 0 ||
    wordsOf(path).some((word) => isActionWord(action, word)) ||
    (action === 'delete' && method === 'DELETE') ||
    stringsOf(body).some((text) => isActionWord(action, text))
  );
}

/** Whether a path names only an invoice, and not a summary, a report or a snapshot of it. */
export function isPlainRead({ path }: OperationTemplate): boolean {
  return !/\/v(?!1\/)\d+\//.test(path) && wordsOf(path).every((word) => NEUTRAL_WORDS.test(word));
}

/** Whether a binding contains the name of the action or of its resulting state. */
export function namesAction(action: InvoiceAction, { method, path, body }: OperationTemplate): boolean {
  const text = `${path} ${JSON.stringify(body) ?? ''}`.toLowerCase();
  const state = lifecycle.leadsTo[action]?.toLowerCase() ?? action;
  return text.includes(action) || text.includes(state) || (action === 'delete' && method === 'DELETE');
}

function isActionWord(action: InvoiceAction, word: string): boolean {
  const singular = word.toLowerCase().replace(/s$/, '');
  const state = lifecycle.leadsTo[action]?.toLowerCase();
  return singular === action || word.toLowerCase() === state || ACTION_SYNONYMS[action].test(singular);
}

function wordsOf(path: string): string[] {
  return path
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function stringsOf(body: OperationTemplate['body']): string[] {
  return Object.values(body ?? {}).filter((value) => typeof value === 'string');
}

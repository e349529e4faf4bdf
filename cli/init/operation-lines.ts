import { escapeToSingleLine, truncate } from '../../reporting/text/escape-control-characters.ts';
import { OPERATION_NAMES, type OperationName, type OperationTemplate } from '../../specs/target-file/target.ts';
import type { BindingFindings } from './bindings.ts';

interface UsualOperation {
  template: OperationTemplate;
  /** Whether the line is a comment until init has found the operation. */
  isCommented?: true;
  comment?: string;
}

const INVOICE = '/api/v1/invoices/{id}';
const action = (name: string, actor: 'seller' | 'buyer', body?: OperationTemplate['body']): UsualOperation => ({
  template: { method: 'POST', path: `${INVOICE}/${name}`, actor, ...(body && { body }) },
});

const USUAL_OPERATIONS: Record<OperationName, UsualOperation> = {
  read: { template: { method: 'GET', path: INVOICE } },
  submit: action('submit', 'seller'),
  approve: action('approve', 'buyer'),
  dispute: action('dispute', 'buyer', { reason: '{text}' }),
  cancel: action('cancel', 'seller'),
  settle: action('settle', 'buyer'),
  delete: { template: { method: 'DELETE', path: INVOICE, actor: 'seller' } },
  resolve: action('resolve', 'seller', { note: '{text}' }),
  treasuryBalance: {
    template: { method: 'GET', path: '/api/v1/treasury/balance' },
    isCommented: true,
    comment: 'or method: POST, with body: { requestId: "{requestId}" }',
  },
  treasuryWithdraw: {
    template: {
      method: 'POST',
      path: '/api/v1/treasury/withdraw',
      body: { amount: '{amount}', requestId: '{requestId}' },
    },
    isCommented: true,
  },
  webhookList: { template: { method: 'GET', path: '/api/v1/settings/webhooks' }, isCommented: true },
  webhookDelete: {
    template: { method: 'DELETE', path: '/api/v1/settings/webhooks/{id}' },
    isCommented: true,
    comment: 'removes the subscriptions of a run',
  },
};
const MAX_COMMENT_LENGTH = 160;

/** The lines of `operations` in a target file: what init has found, and the usual binding of every other operation. */
export function operationLines(found: BindingFindings): string {
  return OPERATION_NAMES.map((name) => {
    const { template, isCommented, comment } = USUAL_OPERATIONS[name];
    const finding = found[name];
    const { actor } = template;
    const bound = finding?.template && { ...finding.template, ...(actor && { actor }) };
    const mark = isCommented && !bound ? '# ' : '';
    // A line that stays a comment keeps its own explanation.
    const remarks = [finding?.comment, bound === undefined ? comment : undefined].filter((each) => each !== undefined);
    const remark = truncate(escapeToSingleLine(remarks.join('; ')), MAX_COMMENT_LENGTH);
    const end = remark === '' ? '' : ` # ${remark}`;
    return `  ${mark}${name}: ${flowMapping(bound ?? template)}${end}\n`;
  }).join('');
}

function flowMapping({ method, path, actor, body }: OperationTemplate): string {
  const fields = [
    `method: ${method}`,
    `path: ${JSON.stringify(path)}`,
    ...(actor === undefined ? [] : [`actor: ${actor}`]),
    ...(body === undefined ? [] : [`body: ${flowBody(body)}`]),
  ];
  return `{ ${fields.join(', ')} }`;
}

/** A body of texts, numbers and flags. JSON is valid YAML. */
function flowBody(body: NonNullable<OperationTemplate['body']>): string {
  const members = Object.entries(body).map(([name, value]) => `${memberName(name)}: ${JSON.stringify(value)}`);
  return `{ ${members.join(', ')} }`;
}

/** YAML reads some plain words as other types. */
function memberName(name: string): string {
  return /^(true|false|null|yes|no|on|off|y|n)$/i.test(name) || !/^[A-Za-z_]\w*$/.test(name)
    ? JSON.stringify(name)
    : name;
}

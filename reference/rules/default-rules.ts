import { randomUUID } from 'node:crypto';
import type { Rules } from '../service/rules.ts';
import { authenticate } from './access/authenticate.ts';
import { authorize } from './access/authorize.ts';
import { checkParty } from './access/check-party.ts';
import { findConnection } from './access/find-connection.ts';
import { resolveEnvironment } from './access/resolve-environment.ts';
import { throttle } from './access/throttle.ts';
import { unauthorizedBody } from './access/unauthorized-body.ts';
import { visibleInvoices } from './access/visible-invoices.ts';
import { replay } from './idempotency/replay.ts';
import { replayKey } from './idempotency/replay-key.ts';
import { applyEffect } from './invoices/apply-effect.ts';
import { changeInvoice } from './invoices/change-invoice.ts';
import { findInvoice } from './invoices/find-invoice.ts';
import { nextInvoiceNumber } from './invoices/invoice-number.ts';
import { issueInvoice } from './invoices/issue-invoice.ts';
import { page } from './invoices/page.ts';
import { sort } from './invoices/sort.ts';
import { transition } from './invoices/transition.ts';
import { settle } from './money/settle.ts';
import { balance, withdraw } from './money/treasury.ts';
import { renderError } from './rendering/render-error.ts';
import { renderEvent } from './rendering/render-event.ts';
import { renderInvoice } from './rendering/render-invoice.ts';
import * as responses from './rendering/render-responses.ts';
import { reset } from './reset/reset.ts';
import { parseBody } from './validation/parse-body.ts';
import { validateAction } from './validation/validate-action.ts';
import { validateCreate } from './validation/validate-create.ts';
import { validateQuery } from './validation/validate-query.ts';
import { validateReset } from './validation/validate-reset.ts';
import { validateSubscription } from './validation/validate-subscription.ts';
import { validateBalance, validateWithdrawal } from './validation/validate-treasury.ts';
import { deliver, sign } from './webhooks/deliver.ts';
import { eventKinds } from './webhooks/event-kinds.ts';
import { subscribe } from './webhooks/subscribe.ts';
import { subscribers } from './webhooks/subscribers.ts';

/** The rules that keep every requirement of the contract. */
export const defaultRules: Readonly<Rules> = {
  authenticate,
  unauthorizedBody,
  throttle,
  resolveEnvironment,
  authorize,
  parseBody,
  validateQuery,
  validateCreate,
  validateAction,
  validateBalance,
  validateWithdrawal,
  validateSubscription,
  validateReset,
  visibleInvoices: visibleInvoices,
  sort,
  page,
  findConnection: findConnection,
  nextInvoiceNumber: nextInvoiceNumber,
  issueInvoice: issueInvoice,
  newId: () => randomUUID(),
  now: () => new Date(),
  findInvoice,
  checkParty,
  transition,
  settle,
  applyEffect: applyEffect,
  changeInvoice: changeInvoice,
  eventKinds: eventKinds,
  replayKey,
  replay,
  balance,
  withdraw,
  subscribe,
  subscribers,
  renderEvent,
  sign,
  deliver,
  reset,
  renderInvoice,
  ...responses,
  renderError,
};

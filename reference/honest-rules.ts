import { randomUUID } from 'node:crypto';
import { announce } from './honest/announce.ts';
import { authenticate } from './honest/authenticate.ts';
import { authorize } from './honest/authorize.ts';
import { change } from './honest/change.ts';
import { checkParty } from './honest/check-party.ts';
import { connect } from './honest/connect.ts';
import { deliver, sign } from './honest/deliver.ts';
import { findInvoice } from './honest/find-invoice.ts';
import { issue } from './honest/issue.ts';
import { land } from './honest/land.ts';
import { number } from './honest/number.ts';
import { page } from './honest/page.ts';
import { parseBody } from './honest/parse-body.ts';
import * as answers from './honest/render-answers.ts';
import { renderError } from './honest/render-error.ts';
import { renderEvent } from './honest/render-event.ts';
import { renderInvoice } from './honest/render-invoice.ts';
import { replay } from './honest/replay.ts';
import { replayKey } from './honest/replay-key.ts';
import { reset } from './honest/reset.ts';
import { resolveEnvironment } from './honest/resolve-environment.ts';
import { settle } from './honest/settle.ts';
import { sort } from './honest/sort.ts';
import { subscribe } from './honest/subscribe.ts';
import { subscribers } from './honest/subscribers.ts';
import { throttle } from './honest/throttle.ts';
import { transition } from './honest/transition.ts';
import { balance, withdraw } from './honest/treasury.ts';
import { unauthorizedBody } from './honest/unauthorized-body.ts';
import { validateAction } from './honest/validate-action.ts';
import { validateCreate } from './honest/validate-create.ts';
import { validateQuery } from './honest/validate-query.ts';
import { validateReset } from './honest/validate-reset.ts';
import { validateSubscription } from './honest/validate-subscription.ts';
import { validateBalance, validateWithdrawal } from './honest/validate-treasury.ts';
import { visible } from './honest/visible.ts';
import type { Rules } from './rules.ts';

/** The rules that keep every sentence of the contract. */
export const honestRules: Readonly<Rules> = {
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
  visible,
  sort,
  page,
  connect,
  number,
  issue,
  newId: () => randomUUID(),
  now: () => new Date(),
  findInvoice,
  checkParty,
  transition,
  settle,
  land,
  change,
  announce,
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
  ...answers,
  renderError,
};

import * as engine from '../../engine/model/messages.ts';

type Answered = Pick<engine.Answer, 'status'>;

/** Whether the server did what it was asked, by any status that says so. */
export function accepted(answer: Answered): boolean {
  return engine.isSuccess(answer);
}

/** Whether an answer shows what was asked for: of no operation the contract says by which status. */
export function isShown(answer: Answered): boolean {
  return engine.isShown(answer);
}

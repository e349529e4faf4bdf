import { type Answer, memberOf } from '../engine/answer.ts';

/** Whether the gateway answered, and not what is behind it: its codes begin with GW_. */
export function byGateway(answer: Answer): boolean {
  return String(memberOf(answer, 'code')).startsWith('GW_');
}

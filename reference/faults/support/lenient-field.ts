import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Fault } from '../fault.ts';

/** The seller and the buyer that a lenient server uses if it cannot read the ids. */
export interface PartyIds {
  sellerId: string;
  buyerId: string;
}

/** An invalid value of one field, and the value that a lenient server reads. */
export interface LenientField {
  check: CheckId;
  field: string;
  /** The mistake of the team. */
  description: string;
  isDefect: (value: unknown) => boolean;
  readAs: (value: string, parties: PartyIds) => unknown;
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const matchesPattern = (pattern: RegExp) => (value: unknown) => isText(value) && pattern.test(value);
export const isNumber = (value: unknown) => typeof value === 'number';
export const isArray = (value: unknown) => Array.isArray(value);
export const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
export const isNull = (value: unknown) => value === null;
export const NEXT_YEAR = new Date().getUTCFullYear() + 1;
export const VALID_DUE_DATE = `${NEXT_YEAR}-06-15`;

/** "Defect Y of field X is accepted": one server for each defect that the kit sends. */
export function lenientFault({ check, field, description, isDefect, readAs }: LenientField): Fault {
  return {
    id: `create-accepts-${check.replace('CREATE-', '').replace('.', '-')}`,
    requirement: check.split('.')[0] ?? '',
    defect: description,
    caughtBy: [check],
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const { body } = call;
        if (!Object.hasOwn(body, field) || !isDefect(body[field])) return base.validateCreate(call);
        const own = call.organizationId;
        const ids = call.world.connections.find(({ organizationIds }) =>
          organizationIds.includes(own),
        )?.organizationIds;
        const parties = { sellerId: own, buyerId: ids?.find((id) => id !== own) ?? own };
        return base.validateCreate({ ...call, body: { ...body, [field]: readAs(body[field] as string, parties) } });
      },
    })),
  };
}

export const asSellerId = (_value: unknown, { sellerId }: PartyIds) => sellerId;
export const asBuyerId = (_value: unknown, { buyerId }: PartyIds) => buyerId;

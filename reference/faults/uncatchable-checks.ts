import type { CheckId } from '../../specs/generated/ids.ts';

/** Checks that no server can turn red with the means of the kit, each with the reason. Keep this list short. */
export const uncatchableChecks: readonly { check: CheckId; reason: string }[] = [];

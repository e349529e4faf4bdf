import type { CheckId } from '../../specs/generated/ids.ts';

/** Checks that no server can turn red within the kit's means, each with the reason. Short, and meant to stay so. */
export const uncatchableChecks: readonly { check: CheckId; reason: string }[] = [];

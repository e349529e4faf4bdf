import { authenticationFaults } from './authentication.ts';
import { authenticationEverywhereFaults } from './authentication-everywhere.ts';
import { createBodyFaults } from './create-bodies.ts';
import type { Fault } from './fault.ts';
import { lenientFieldFaults } from './lenient-fields.ts';
import { lifecycleFaults } from './lifecycle.ts';
import { listFaults } from './lists.ts';
import { recordFaults } from './records.ts';

/** Every one-defect server, area by area. */
export const allFaults: readonly Fault[] = [
  ...authenticationFaults,
  ...authenticationEverywhereFaults,
  ...createBodyFaults,
  ...lenientFieldFaults,
  ...recordFaults,
  ...lifecycleFaults,
  ...listFaults,
];

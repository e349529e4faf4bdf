import { authenticationFaults } from './authentication.ts';
import { authenticationEverywhereFaults } from './authentication-everywhere.ts';
import type { Fault } from './fault.ts';

/** Every one-defect server, area by area. */
export const allFaults: readonly Fault[] = [...authenticationFaults, ...authenticationEverywhereFaults];

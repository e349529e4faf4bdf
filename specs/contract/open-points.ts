import { z } from 'zod';
import { readDataFile } from '../data.ts';
import type { ObservationId, OpenPointId } from '../generated/ids.ts';

/** One thing that the contract leaves open. */
export const openPoint = z
  .strictObject({
    id: z.string().regex(/^OP-\d{2,3}$/),
    /** The place in the contract to which the question belongs. */
    section: z.string().min(3),
    /** The words of the contract, if it says anything. */
    quote: z.string().min(8).optional(),
    question: z.string().min(10),
    /** What conforming servers do; the choice of the reference service comes first. */
    choices: z.array(z.string().min(1)).min(1),
    /** What the kit does so that no choice fails. */
    copes: z.string().regex(/^\S.*\.$/),
    observations: z.array(z.string()).default([]),
    /** Why no observation records the choice of a server. */
    unrecorded: z.string().min(10).optional(),
    /** Why no variation can make another choice. */
    unexercised: z.string().min(10).optional(),
  })
  .refine(({ observations, unrecorded }) => observations.length > 0 !== (unrecorded !== undefined), {
    message: 'must have either observations or unrecorded',
  });

export interface OpenPoint extends z.infer<typeof openPoint> {
  id: OpenPointId;
  observations: ObservationId[];
}

/** All open points, in the contract's order. */
export const openPoints = z.array(openPoint).parse(readDataFile('contract/open-points')) as OpenPoint[];

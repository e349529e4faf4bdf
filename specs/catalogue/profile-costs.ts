import { z } from 'zod';
import { readDataFile } from '../data.ts';

const count = z.number().int().min(0);

const leftovers = z.strictObject({
  invoices: count,
  withdrawals: count,
  /** The total of all withdrawals. */
  withdrawn: z.string().regex(/^\d+\.\d{2}$/),
  subscriptions: count,
});
export type Leftovers = z.infer<typeof leftovers>;

const profileCost = z.strictObject({
  /** Requests of a run with the keys of seller and buyer only, and with those of all actors. */
  requests: z.strictObject({ parties: count, everybody: count }),
  /** Requests of its longest chain: each waits for the response to the previous one. */
  chain: count,
  /** Milliseconds that a run takes if responses take no time. */
  waitsMs: count,
  leftovers,
});
export type ProfileCost = z.infer<typeof profileCost>;

const costs = z.record(z.string(), profileCost).parse(readDataFile('catalogue/profile-costs'));

/** The cost of a run of a profile, measured against the reference service. Throws if the profile does not exist. */
export function profileCostFor(name: string): ProfileCost {
  const found = costs[name];
  if (!found) throw new Error(`specs/catalogue/profile-costs.yaml: no profile ${name}`);
  return found;
}

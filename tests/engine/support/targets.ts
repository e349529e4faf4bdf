import { parseTarget, type Target, type TargetInput } from '../../../specs/target-file/target.ts';

export const seller = { key: 'svc_sand_seller_key_01', secret: 'secret-of-the-seller-01' };
export const buyer = { key: 'svc_sand_buyer_key_02', secret: 'secret-of-the-buyer-02' };
export const production = { key: 'svc_prod_live_key_03', secret: 'secret-of-production-03' };

/** A target with only the seller, and the given changes. */
export function targetAt(baseUrl: string, changes: Partial<TargetInput> = {}): Target {
  return parseTarget({ baseUrl, actors: { seller }, ...changes });
}

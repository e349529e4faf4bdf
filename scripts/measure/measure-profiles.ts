import { profileNames } from '../../specs/catalogue/selection.ts';
import { measureProfile } from './profile-measurement.ts';

// Prints the counted numbers of specs/catalogue/profile-costs.yaml. The times are fitted by hand (docs/performance.md).
for (const profile of profileNames) {
  const everybody = await measureProfile(profile);
  const parties = await measureProfile(profile, { partiesOnly: true });
  const { invoices, withdrawals, withdrawn, subscriptions } = everybody.leftovers;
  console.log(`${profile}:
  requests: { parties: ${parties.requests}, everybody: ${everybody.requests} }
  leftovers: { invoices: ${invoices}, withdrawals: ${withdrawals}, withdrawn: "${withdrawn}", subscriptions: ${subscriptions} }
  # took ${Math.round(everybody.durationMs)} ms`);
}

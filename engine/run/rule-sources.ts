import { checksOfProfile } from '../../specs/catalogue/selection.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/**
 * The checks whose exchanges the selected exchange rules can judge if the selection sends no requests itself: those of
 * the profile smoke, or of read-only if the run may send only GET.
 */
export function companionsOf(profile: string, selected: readonly CheckId[]): CheckId[] {
  const chosen = new Set(selected);
  return checksOfProfile(profile === 'read-only' ? 'read-only' : 'smoke').filter((id) => !chosen.has(id));
}

import { checksOfProfile } from '../../specs/catalogue/selection.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/**
 * The checks whose exchanges a rule about every exchange can judge when the selection sends none itself: those of the profile smoke, or of
 * read-only when the run may send nothing but GET.
 */
export function companionsOf(profile: string, selected: readonly CheckId[]): CheckId[] {
  const chosen = new Set(selected);
  return checksOfProfile(profile === 'read-only' ? 'read-only' : 'smoke').filter((id) => !chosen.has(id));
}

import { EscapeReader } from './escape-reader.ts';
import type { Hit } from './match.ts';
import type { MultiPatternReplacer } from './multi-pattern-replacer.ts';
import type { Alike, SortedTexts } from './sorted-texts.ts';

/** The secrets of which at least one character is written as an escape, in any mixture. */
export function escapedSecrets(text: string, masks: MultiPatternReplacer, depth: number): Hit[] {
  const reader = new EscapeReader(text);
  const hits: Hit[] = [];
  let at = 0;
  for (let lead = nextLead(text, 0); lead !== -1; lead = nextLead(text, lead + 1)) {
    for (at = Math.max(at, lead - masks.longestText); at <= lead; at += 1) {
      // Of most places three characters tell that nothing begins there.
      if (!reader.isLeadWithin(at, 3) && !masks.mayBeginAt(text, at)) continue;
      const found = longestAt(reader, masks.texts, at, depth);
      if (found !== undefined) hits.push({ start: at, end: found.end, label: masks.labelOf(found.secret) });
    }
  }
  return hits;
}

const LEAD = /[\\&%]/g;

function nextLead(text: string, from: number): number {
  LEAD.lastIndex = from;
  return LEAD.exec(text)?.index ?? -1;
}

interface Found {
  secret: string;
  end: number;
}

/** The secret that some way to read the text from here on spells, with the place behind it. */
function longestAt(reader: EscapeReader, texts: SortedTexts, at: number, depth: number): Found | undefined {
  let found: Found | undefined;
  const met = new Set<string>();
  const open: { alike: Alike; place: number }[] = [{ alike: texts.all(), place: at }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const readings = reader.readings(next.place, depth);
    for (const { text, end } of readings) {
      const alike = texts.narrowed(next.alike, text);
      if (alike === null) continue;
      const secret = texts.whole(alike);
      if (secret !== undefined && end > (found?.end ?? at)) found = { secret, end };
      if (readings.length > 1) {
        const way = `${alike.from} ${alike.length} ${end}`;
        if (met.has(way)) continue;
        met.add(way);
      }
      open.push({ alike, place: end });
    }
  }
  return found;
}

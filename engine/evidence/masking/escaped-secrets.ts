import { EscapeReader } from './escape-reader.ts';
import type { SecretMatch } from './match.ts';
import type { MultiPatternReplacer } from './multi-pattern-replacer.ts';
import type { PrefixRange, SortedTexts } from './sorted-texts.ts';

/** The secrets that have at least one character written as an escape, in any mixture. */
export function findEscapedSecrets(text: string, masks: MultiPatternReplacer, depth: number): SecretMatch[] {
  const reader = new EscapeReader(text);
  const hits: SecretMatch[] = [];
  let at = 0;
  for (let lead = nextLead(text, 0); lead !== -1; lead = nextLead(text, lead + 1)) {
    for (at = Math.max(at, lead - masks.maxTextLength); at <= lead; at += 1) {
      // At most places, three characters are enough to see that no secret begins there.
      if (!reader.hasLeadWithin(at, 3) && !masks.mayBeginAt(text, at)) continue;
      const found = longestSecretAt(reader, masks.texts, at, depth);
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

interface FoundSecret {
  secret: string;
  end: number;
}

/** The longest secret that some reading of the text from this index spells, and the index after it. */
function longestSecretAt(reader: EscapeReader, texts: SortedTexts, at: number, depth: number): FoundSecret | undefined {
  let found: FoundSecret | undefined;
  const met = new Set<string>();
  const open: { alike: PrefixRange; place: number }[] = [{ alike: texts.fullRange(), place: at }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const readings = reader.readings(next.place, depth);
    for (const { text, end } of readings) {
      const alike = texts.narrow(next.alike, text);
      if (alike === null) continue;
      const secret = texts.exactText(alike);
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

import { closeSync, openSync, writeSync } from 'node:fs';
import type { JournalRecord } from '../../specs/formats/journal.ts';
import { CHAIN_START, chainedLine, lineDigest } from '../../specs/formats/journal-chain.ts';

/** Writes the journal of a run with its exchanges repeated up to the given number. */
export function longJournal(records: readonly JournalRecord[], exchanges: number, path: string): void {
  const own = records.filter((record) => record.kind === 'exchange');
  const times = Math.ceil(exchanges / own.length);
  const again = (id: string, turn: number) => (turn === 0 ? id : `${id}-${turn}`);
  const turns = Array.from({ length: times }, (_, turn) => turn);
  const file = openSync(path, 'wx');
  let left = exchanges;
  let previous = CHAIN_START;
  for (const record of records) {
    const lines: JournalRecord[] =
      record.kind === 'exchange'
        ? turns.map((turn) => ({ ...record, id: again(record.id, turn) }))
        : record.kind === 'check'
          ? [{ ...record, exchanges: record.exchanges.flatMap((id) => turns.map((turn) => again(id, turn))) }]
          : [record];
    for (const line of lines) {
      if (line.kind === 'exchange' && left === 0) continue;
      if (line.kind === 'exchange') left -= 1;
      const chained = chainedLine(JSON.stringify(line), previous);
      writeSync(file, `${chained}\n`);
      previous = lineDigest(chained);
    }
  }
  closeSync(file);
}

// Loaded before the command. The disk is full after the given number of bytes of evidence.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const write = fs.writeSync;
let room = Number(process.env.ROOM);

const EVIDENCE = '{"previous":';

fs.writeSync = (file, data, ...rest) => {
  const isEvidence = Buffer.isBuffer(data) && data.toString('latin1', 0, EVIDENCE.length) === EVIDENCE;
  if (!isEvidence && room > 0) return write(file, data, ...rest);
  if (room <= 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  // The last line is written in part, as on a real disk.
  const bytes = data.subarray(rest[0] ?? 0);
  const written = write(file, bytes, 0, Math.min(bytes.length, room));
  room -= written;
  return written;
};
syncBuiltinESMExports();

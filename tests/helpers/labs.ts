import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Plan } from '../../engine/plan.ts';
import { Run } from '../../engine/run.ts';
import { Lab } from '../../helpers/lab.ts';
import { targetFile } from '../../specs/target.ts';

/** A lab without a server, for what needs none. */
export function labOf(changes: Partial<Plan> = {}): Lab {
  const folder = mkdtempSync(join(tmpdir(), 'kit-lab-'));
  const run = new Run({
    runId: '0123456789ab',
    target: targetFile.parse({
      baseUrl: 'http://127.0.0.1:1',
      actors: { seller: { key: 'svc_sand_seller', secret: 'secret-of-the-seller' } },
    }),
    journal: join(folder, 'evidence.jsonl'),
    seed: 42,
    strict: false,
    mutations: true,
    selected: [],
    organizations: { seller: 'org-seller', buyer: 'org-buyer' },
    ...changes,
  });
  onTestFinished(async () => {
    await run.close(null);
    rmSync(folder, { recursive: true });
  });
  return new Lab(run, { id: 'AUTH-01.both-missing', exchanges: [], doubtful: false });
}

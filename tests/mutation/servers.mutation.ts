import { describe, expect, test } from 'vitest';
import { judgeServer } from '../../cli/prove/judge-server.ts';
import { createFaultProof, createVariationProof, isCaught } from '../../cli/prove/proof-result.ts';
import { checksForFault, conformingServers } from '../../cli/prove/servers.ts';
import { allFaults } from '../../reference/faults/all.ts';
import { subjects } from './subjects.ts';

/** The mutated file, such as `helpers/lifecycle/concurrent-actions.ts`. Set by scripts/mutation/mutate.ts. */
const file = process.env.MUTATED ?? '';
const { faults, variations } = subjects[file.replace('helpers/', '')] ?? { faults: [], variations: [] };

const broken = allFaults.filter(({ id }) => faults.includes(id));
const honest = conformingServers.filter(({ id }) => variations.includes(id));
const checks = [...new Set(broken.flatMap(checksForFault))];

describe.runIf(broken.length > 0)(`servers for ${file}`, () => {
  test.for(broken)('defect $id', async (fault) => {
    const proved = createFaultProof(fault, await judgeServer(fault, checksForFault(fault)));
    expect(proved.missed).toEqual([]);
    expect(isCaught(proved)).toBe(true);
  });

  test.for(honest)('conforming $id', async (server) => {
    expect(createVariationProof(server, await judgeServer(server, checks)).held).toEqual([]);
  });
});

import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../cli/certification/read-policy.ts';

const EXAMPLE = fileURLToPath(new URL('../../docs/certification/policy.yaml', import.meta.url));

describe('the example of a policy', () => {
  it('is a valid policy', () => {
    expect(readPolicy(EXAMPLE).policy).toMatchObject({ profile: 'full', warnings: 'accept', maxAgeDays: 30 });
  });
});

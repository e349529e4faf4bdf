import type { Night } from '../../../specs/formats/night.ts';
import type { CheckVerdict } from '../../../specs/verdicts.ts';

const CHECKS = ['AUTH-01.missing', 'LIFE-02.cancel', 'LIST-05.limit'];

export interface Situation {
  readonly checks?: Record<string, CheckVerdict>;
  readonly version?: string;
  readonly kitVersion?: string;
  readonly digests?: Record<string, string>;
  readonly observed?: Night['observations'];
  readonly medianMs?: number;
  readonly interrupted?: string;
}

/** The run of a night, from 1; every check that is not named passed. */
export function night(number: number, situation: Situation = {}): Night {
  const {
    checks = {},
    version = '4.2.0',
    kitVersion = '0.1.0',
    digests = {},
    observed,
    medianMs = 20,
    interrupted,
  } = situation;
  const startedAt = new Date(Date.UTC(2026, 10, number, 2)).toISOString();
  const all = [...CHECKS, ...Object.keys(digests)];
  return {
    schemaVersion: 1,
    kit: { name: 'kit', version: kitVersion },
    run: {
      id: `run-${number}`,
      startedAt,
      finishedAt: startedAt,
      seed: number,
      profile: 'core',
      filtered: [],
      ...(interrupted !== undefined && { interrupted }),
    },
    target: { name: 'Staging', baseUrl: 'https://staging.example.com', implementation: { version } },
    catalogue: { digest: `sha256:${kitVersion}` },
    verdict: 'conformant',
    exitCode: 0,
    checks: { ...Object.fromEntries(all.map((id) => [id, 'pass' as const])), ...checks },
    consequences: [],
    undecided: null,
    digests: { ...Object.fromEntries(CHECKS.map((id) => [id, 'a'])), ...digests },
    observations: observed ?? [{ id: 'initial-state', question: 'Which state?', value: 'DRAFT' }],
    operations: [{ operation: 'list', requests: 500, medianMs, p95Ms: 3 * medianMs, maxMs: 9 * medianMs }],
  };
}

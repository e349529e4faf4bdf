import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Fault } from '../fault.ts';
import { changeReplayKey } from '../support/replays.ts';

/** The requestId alone identifies a submission, without the invoice. */
function bySubmission(read: (requestId: string) => string): RuleChange {
  return overrideRules((base) => ({
    replayKey: (call, requestId, subject) =>
      call.route.name === 'submit' && requestId !== undefined
        ? base.replayKey(call, read(requestId))
        : base.replayKey(call, requestId, subject),
  }));
}

/** A creation finds the first requestId that its own matches as a pattern of LIKE. */
function matchAsPattern(): RuleChange {
  return overrideRules((base) => {
    const known: string[] = [];
    const matching = (requestId: string) =>
      known.find(
        (each) => each.length === requestId.length && [...requestId].every((c, at) => c === '_' || c === each[at]),
      );
    return {
      replayKey: (call, requestId, subject) => {
        if (call.route.name !== 'create' || requestId === undefined) return base.replayKey(call, requestId, subject);
        const found = matching(requestId) ?? requestId;
        if (found === requestId) known.push(requestId);
        return base.replayKey(call, found, subject);
      },
    };
  });
}

export const idempotencyRequestIdIdentityFaults: readonly Fault[] = [
  {
    id: 'idem-slugs',
    requirement: 'IDEM-06',
    defect: 'The requestId becomes part of a key whose words are joined by hyphens.',
    caughtBy: ['IDEM-06.similar-request-ids'],
    rules: changeReplayKey('create', (requestId) => requestId?.replaceAll('_', '-')),
  },
  {
    id: 'idem-request-id-as-pattern',
    requirement: 'IDEM-06',
    defect: 'The requestId is searched with LIKE, in which an underscore stands for any character.',
    caughtBy: ['IDEM-06.similar-request-ids'],
    rules: matchAsPattern(),
  },
  {
    id: 'idem-cut-at-64',
    requirement: 'IDEM-06',
    defect: 'The column of requestIds truncates them after 64 characters.',
    caughtBy: ['IDEM-06.very-long'],
    rules: changeReplayKey('create', (requestId) => requestId?.slice(0, 64)),
  },
  {
    id: 'idem-trimmed',
    requirement: 'IDEM-13',
    defect: 'requestIds are trimmed.',
    caughtBy: ['IDEM-13.trailing-space'],
    rules: changeReplayKey('create', (requestId) => requestId?.trim()),
  },
  {
    id: 'idem-case-insensitive',
    requirement: 'IDEM-06',
    defect: 'requestIds are compared case-insensitively, because of the collation of the column.',
    caughtBy: ['IDEM-06.letter-case'],
    rules: changeReplayKey('create', (requestId) => requestId?.toLowerCase()),
  },
  {
    id: 'idem-prefix',
    requirement: 'IDEM-06',
    defect: 'requestIds are looked up by their beginning.',
    caughtBy: ['IDEM-06.longer'],
    rules: changeReplayKey('create', (requestId) => requestId?.replace(/0$/, '')),
  },
  {
    id: 'idem-column-too-short',
    requirement: 'IDEM-06',
    defect: 'requestIds are truncated to 32 characters, the length of a UUID without hyphens.',
    caughtBy: ['IDEM-06.last-character'],
    rules: changeReplayKey('create', (requestId) => requestId?.slice(0, 32)),
  },
  {
    id: 'idem-hexadecimal',
    requirement: 'IDEM-06',
    defect: 'Letters beyond f are dropped when the requestId is parsed as a hexadecimal number.',
    caughtBy: ['IDEM-06.non-hex-letters'],
    rules: changeReplayKey('create', (requestId) => requestId?.replace(/[g-z]/g, '')),
  },
  {
    id: 'idem-punctuation-dropped',
    requirement: 'IDEM-06',
    defect: 'Hyphens are removed from requestIds, so that both forms of a UUID are equal.',
    caughtBy: ['IDEM-06.punctuation'],
    rules: changeReplayKey('create', (requestId) => requestId?.replace(/(?<=[a-z])-(?=[a-z]$)/, '')),
  },
  {
    id: 'idem-ends-only',
    requirement: 'IDEM-06',
    defect: 'Only the first 24 and the last 12 characters of a requestId are stored.',
    caughtBy: ['IDEM-06.middle'],
    rules: changeReplayKey('create', (requestId) => requestId && `${requestId.slice(0, 24)}${requestId.slice(-12)}`),
  },
  {
    id: 'idem-as-number',
    requirement: 'IDEM-06',
    defect: 'A requestId of digits is stored as a number.',
    caughtBy: ['IDEM-06.digits'],
    rules: changeReplayKey('create', (requestId) =>
      requestId && /^\d+$/.test(requestId) ? String(Number(requestId)) : requestId,
    ),
  },
  {
    id: 'idem-url-decoded',
    requirement: 'IDEM-06',
    defect: 'A requestId is decoded like a query parameter.',
    caughtBy: ['IDEM-06.similar-request-ids'],
    rules: changeReplayKey('create', (requestId) => requestId?.replaceAll('+', ' ')),
  },
  {
    id: 'idem-submit-case-insensitive',
    requirement: 'IDEM-06',
    defect: 'requestIds of submissions are compared case-insensitively, across invoices.',
    caughtBy: ['IDEM-06.submit-letter-case'],
    rules: bySubmission((requestId) => requestId.toLowerCase()),
  },
  {
    id: 'idem-submit-column-too-short',
    requirement: 'IDEM-06',
    defect: 'requestIds of submissions are truncated to 32 characters, across invoices.',
    caughtBy: ['IDEM-06.submit-last-character', 'IDEM-06.submit-very-long'],
    rules: bySubmission((requestId) => requestId.slice(0, 32)),
  },
  {
    id: 'idem-submit-column-of-64',
    requirement: 'IDEM-06',
    defect: 'requestIds of submissions are truncated to 64 characters, across invoices.',
    caughtBy: ['IDEM-06.submit-very-long'],
    rules: bySubmission((requestId) => requestId.slice(0, 64)),
  },
  {
    id: 'idem-withdrawal-case-insensitive',
    requirement: 'IDEM-06',
    defect: 'requestIds of withdrawals are compared case-insensitively: one of two withdrawals is not paid.',
    caughtBy: ['IDEM-06.withdraw-similar'],
    rules: changeReplayKey('withdraw', (requestId) => requestId?.toLowerCase()),
  },
  {
    id: 'idem-withdrawal-column-too-short',
    requirement: 'IDEM-06',
    defect: 'requestIds of withdrawals are truncated to 32 characters.',
    caughtBy: ['IDEM-06.withdraw-similar'],
    rules: changeReplayKey('withdraw', (requestId) => requestId?.slice(0, 32)),
  },
];

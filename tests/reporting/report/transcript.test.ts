import { describe, expect, it } from 'vitest';
import { transcriptOf } from '../../../reporting/report/transcript.ts';
import type { CheckReport, ExchangeSummary } from '../../../specs/formats/report.ts';

const step = (id: string, operation: string, method = 'POST'): ExchangeSummary => ({
  id,
  label: `seller: ${operation}`,
  attempt: 1,
  method,
  url: 'https://example.com/',
  status: 200,
  failure: null,
});

const failed = (exchanges: ExchangeSummary[], decisive: string[], changes: Partial<CheckReport> = {}): CheckReport => ({
  id: 'LIFE-02.approved-cancel',
  requirement: 'LIFE-02',
  title: 'An approved invoice cannot be cancelled',
  level: 'required',
  verdict: 'fail',
  executed: true,
  reason: '',
  expected: '',
  actual: '',
  blockedBy: null,
  disturbed: false,
  durationMs: 1,
  exchanges,
  decisive,
  differences: [],
  setUp: [],
  reproduction: null,
  ...changes,
});

const roles = (check: CheckReport) => transcriptOf(check, 50).map(({ role }) => role);
const STATUS = { differences: [{ path: 'status', expected: '404', actual: '200' }] };

describe('the transcript of a failed check', () => {
  it('is set-up, act and look', () => {
    const chain = [step('1', 'create'), step('2', 'read', 'GET'), step('3', 'cancel'), step('4', 'read', 'GET')];
    expect(roles(failed(chain, ['3']))).toEqual(['set-up', 'set-up', 'act', 'look']);
    expect(roles(failed(chain, ['4']))).toEqual(['set-up', 'set-up', 'act', 'look']);
  });

  it('shows the same request before as the control', () => {
    expect(roles(failed([step('1', 'create'), step('2', 'create')], ['2', '1']))).toEqual(['control', 'act']);
  });

  it('takes a read for the act if its status is judged, or nothing else was sent', () => {
    const chain = [step('1', 'create'), step('2', 'read', 'GET')];
    expect(roles(failed(chain, ['2'], STATUS))).toEqual(['set-up', 'act']);
    expect(roles(failed([step('1', 'list', 'GET')], ['1']))).toEqual(['act']);
  });

  it('looks only at what the act concerns, takes retries for the act, and leaves out later experiments', () => {
    const of = (id: string, each: ExchangeSummary) => ({ ...each, url: `https://example.com/invoices/inv-${id}` });
    const chain = [
      of('100001', step('1', 'cancel')),
      { ...of('100001', step('2', 'cancel')), attempt: 2 },
      of('100001', step('3', 'read', 'GET')),
      of('200002', step('4', 'read', 'GET')),
      step('5', 'treasuryBalance', 'POST'),
      of('200002', step('6', 'create')),
    ];
    expect(roles(failed(chain, ['2'], STATUS))).toEqual(['act', 'act', 'look', 'look']);
  });

  it('leaves out reads of other invoices, but not the evidence', () => {
    const of = (id: string, each: ExchangeSummary) => ({ ...each, url: `https://example.com/invoices/inv-${id}` });
    const chain = [
      of('200002', step('1', 'read', 'GET')),
      step('2', 'create'),
      of('200002', step('3', 'read', 'GET')),
      of('300003', step('4', 'read', 'GET')),
      of('100001', step('5', 'cancel')),
      of('100001', step('6', 'read', 'GET')),
    ];
    expect(transcriptOf(failed(chain, ['5', '3']), 50).map(({ number }) => number)).toEqual([2, 3, 5, 6]);
  });

  it('begins with the set-up that the check shares with others', () => {
    const check = failed([step('8', 'cancel')], ['8'], { setUp: [step('1', 'create'), step('3', 'submit')] });
    expect(transcriptOf(check, 50).map(({ number, role }) => [number, role])).toEqual([
      [1, 'set-up'],
      [2, 'set-up'],
      [3, 'act'],
    ]);
  });

  it('keeps the first one, the evidence and those near the deciding one, with their numbers', () => {
    const chain = Array.from({ length: 100 }, (_, at) => step(`${at + 1}`, 'create'));
    const shown = transcriptOf(failed(chain, ['60', '2']), 5);
    expect(shown.map(({ number }) => number)).toEqual([1, 2, 58, 59, 60]);
    expect(shown.filter(({ isDeciding }) => isDeciding).map(({ number }) => number)).toEqual([60]);
  });
});

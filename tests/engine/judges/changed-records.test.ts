import { describe, expect, test } from 'vitest';
import { ChangedRecords } from '../../../engine/judges/changed-records.ts';
import { invoice, listAnswer, received } from '../support/responses.ts';

const one = invoice();
const other = invoice({ id: 'inv-2' });
const idsIn = (news: ChangedRecords, response: ReturnType<typeof listAnswer>) =>
  news.changesIn(response).map(({ record }) => record.id);

describe('changed records', () => {
  test('are those that differ from the last time, for all readers', () => {
    const news = new ChangedRecords();
    const first = listAnswer([one, other]);
    expect(idsIn(news, first)).toEqual(['inv-1', 'inv-2']);
    expect(news.changesIn(first)).toBe(news.changesIn(first));
    expect(idsIn(news, listAnswer([{ ...one }, { ...other, status: 'SUBMITTED' }]))).toEqual(['inv-2']);
    expect(idsIn(news, listAnswer([{ ...one }]))).toEqual([]);
  });

  test('include records that are listed again after a different response', () => {
    const news = new ChangedRecords();
    news.changesIn(listAnswer([one]));
    expect(idsIn(news, received({ operation: 'read', json: { ...one, currency: 'USD' } }))).toEqual(['inv-1']);
    expect(idsIn(news, listAnswer([one]))).toEqual(['inv-1']);
  });

  test('belong to one environment, and are none if a response may belong to either', () => {
    const news = new ChangedRecords();
    const production = received({ operation: 'read', actor: 'production', json: one });
    news.changesIn(listAnswer([one]));
    expect(idsIn(news, production)).toEqual(['inv-1']);
    expect(news.changesIn(received({ operation: 'read', actor: null, json: one }))).toEqual([]);
  });
});

import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { requestLimitOf, withLimitOptions, withLimits } from '../../../cli/options/limit-options.ts';
import { targetAt } from '../../engine/support/targets.ts';

const target = targetAt('http://127.0.0.1:1', { limits: { concurrency: 4, maxRequests: 9 } });

/** The limits in force with these options. */
function limits(...words: string[]) {
  const command = withLimitOptions(new Command().exitOverride().configureOutput({ writeErr: () => {} }));
  return withLimits(target, command.parse(words, { from: 'user' }).opts()).limits;
}

describe('limits on the command line', () => {
  test('override the target file and keep its other limits', () => {
    expect(limits()).toEqual(target.limits);
    expect(limits('--concurrency', '2', '--max-requests', '500')).toEqual({
      ...target.limits,
      concurrency: 2,
      maxRequests: 500,
    });
  });

  test.each([
    ['1s', 1000],
    ['1.5s', 1500],
    ['90s', 90_000],
    ['5m', 300_000],
    ['24h', 86_400_000],
  ])('accept the deadline %s and convert it to milliseconds', (text, milliseconds) => {
    expect(limits('--deadline', text).deadlineMs).toBe(milliseconds);
  });

  test('reject a budget beyond the other limit, with what to change', () => {
    expect(() => limits('--budget', '3', '--max-requests', '2')).toThrow(
      '--budget: found 3, but --max-requests allows 2 requests; remove --max-requests, because --budget limits the requests as well',
    );
    expect(() => limits('--budget', '10')).toThrow(
      '--budget: found 10, but limits.maxRequests of the target file allows 9 requests; write 9 or less, or raise that limit',
    );
  });

  test('name what limits the requests', () => {
    expect(requestLimitOf({})).toBe('limits.maxRequests of the target file');
    expect(requestLimitOf({ maxRequests: 9 })).toBe('--max-requests');
    expect(requestLimitOf({ maxRequests: 9, budget: 5 })).toBe('--budget');
  });

  test.each([
    ['--deadline', '5', /write a duration from 1s to 24h, such as 90s, 5m or 1h/],
    ['--deadline', '0s', /write a duration/],
    ['--deadline', '25h', /write a duration/],
    ['--deadline', '-5m', /write a duration/],
    ['--deadline', 'soon', /write a duration/],
    ['--max-requests', '0', /write a whole number, 1 or more/],
    ['--max-requests', '1.5', /write a whole number/],
    ['--max-requests', 'many', /write a whole number/],
    ['--concurrency', '257', /write a whole number from 1 to 256/],
  ])('reject %s %s', (option, value, advice) => {
    expect(() => limits(option, value)).toThrow(advice);
  });
});

import { type Command, InvalidArgumentError } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { type Target, targetFile } from '../../specs/target-file/target.ts';
import type { RequestLimit } from '../../specs/verdicts.ts';
import { numberOfDigits } from './option-values.ts';

/** Limits of the command line. They take precedence over `limits` of the target file. */
export interface LimitOptions {
  concurrency?: number;
  maxRequests?: number;
  deadline?: number;
  budget?: number;
}

type LimitName = 'concurrency' | 'maxRequests' | 'deadlineMs';

/** Adds the options that limit a run. Each is also a field of `limits` in the target file. */
export function withLimitOptions(command: Command): Command {
  return command
    .option(
      '--concurrency <n>',
      'maximum number of concurrent requests (default: limits.concurrency of the target file)',
      (text: string) => parseLimit('concurrency', numberOfDigits(text), 'write a whole number from 1 to 256.'),
    )
    .option('--max-requests <n>', 'maximum number of requests that the run sends', (text: string) =>
      parseLimit('maxRequests', numberOfDigits(text), 'write a whole number, 1 or more.'),
    )
    .option(
      '--budget <n>',
      'at most n requests, spent on the checks that detect the most known defects per request; the verdict is never conformant',
      (text: string) => parseLimit('maxRequests', numberOfDigits(text), 'write a whole number, 1 or more.'),
    )
    .option('--deadline <duration>', 'time after which the run sends no new requests: 90s, 5m, 1h', (text: string) =>
      parseLimit('deadlineMs', parseDurationMs(text), 'write a duration from 1s to 24h, such as 90s, 5m or 1h.'),
    );
}

/** The target with the limits of the command line. Throws a ConfigurationError if a limit allows fewer requests than the budget. */
export function withLimits(target: Target, { concurrency, maxRequests, deadline, budget }: LimitOptions): Target {
  const planned = maxRequests ?? target.limits.maxRequests;
  if (budget !== undefined && planned !== 'none' && planned < budget) {
    const limit = requestLimitOf({ maxRequests });
    const advice =
      maxRequests === undefined
        ? `write ${planned} or less, or raise that limit`
        : 'remove --max-requests, because --budget limits the requests as well';
    throw new ConfigurationError(`--budget: found ${budget}, but ${limit} allows ${planned} requests; ${advice}`);
  }
  const given = {
    ...(concurrency !== undefined && { concurrency }),
    ...(maxRequests !== undefined && { maxRequests }),
    ...(budget !== undefined && { maxRequests: budget }),
    ...(deadline !== undefined && { deadlineMs: deadline }),
  };
  return { ...target, limits: { ...target.limits, ...given } };
}

interface RequestLimitOptions {
  maxRequests?: number | undefined;
  budget?: number | undefined;
}

/** What limits the requests of a run with these options. */
export function requestLimitOf({ maxRequests, budget }: RequestLimitOptions): RequestLimit {
  if (budget !== undefined) return '--budget';
  return maxRequests === undefined ? 'limits.maxRequests of the target file' : '--max-requests';
}

const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 };

function parseDurationMs(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([smh])$/.exec(text) ?? [];
  return Math.round(Number(number) * (UNITS[unit] ?? Number.NaN));
}

function parseLimit(name: LimitName, value: number | null, advice: string): number {
  const { success } = targetFile.shape.limits.unwrap().shape[name].safeParse(value);
  if (value === null || !success) throw new InvalidArgumentError(advice);
  return value;
}

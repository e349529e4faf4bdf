import type { CustomChecksOptions } from '../options/custom-checks-option.ts';
import type { GateOptions } from '../options/gate-options.ts';
import type { HistoryOptions } from '../options/history-option.ts';
import type { LastFailedOptions } from '../options/last-failed.ts';
import type { LimitOptions } from '../options/limit-options.ts';
import type { OutputOptions } from '../options/output-options.ts';
import type { SelectionOptions } from '../options/selection-options.ts';
import type { ShardOptions } from '../options/shard-option.ts';
import type { TargetOptions } from '../options/target-options.ts';

export interface RunOptions
  extends TargetOptions,
    SelectionOptions,
    LastFailedOptions,
    CustomChecksOptions,
    GateOptions,
    LimitOptions,
    ShardOptions,
    HistoryOptions,
    OutputOptions {
  strict: boolean;
  seed?: number;
  watch: boolean;
  quiet: boolean;
  verbose: boolean;
}

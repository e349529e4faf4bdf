import { register } from '../helpers/register.ts';
import { allChecks } from './all.ts';
import { allRules } from './every-exchange/all-rules.ts';

// One file, so that the checks of all areas share one worker: one rate, one budget, one set of connections.
await register(allChecks, allRules);

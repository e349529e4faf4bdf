import { Command } from 'commander';
import { findExamination } from '../../cli/prove/outcomes.ts';
import { runInWorkers, type ServerOutcome } from '../../cli/prove/worker-pool.ts';
import { allFaults } from '../../reference/faults/all.ts';
import { checksWithinBudget } from '../../specs/catalogue/check-order.ts';
import { checksOfProfile } from '../../specs/catalogue/selection.ts';
import { isRed } from '../../specs/verdicts.ts';

/** `npm run curve` measures, for each budget, the share of the faults that a run with this budget detects. */
const { budgets, every } = new Command()
  .option('--budgets <numbers>', 'numbers of requests', '250,500,1000,1500,2000')
  .option('--every <n>', 'only each n-th fault', '1')
  .parse()
  .opts<{ budgets: string; every: string }>();

const faults = allFaults.filter((_, at) => at % Number(every) === 0);
for (const budget of budgets.split(',').map(Number)) {
  const checks = checksWithinBudget(checksOfProfile('full'), budget);
  const outcomes: ServerOutcome[] = [];
  await runInWorkers(
    faults.map(({ id }) => ({ kind: 'fault', id, checks, budget })),
    (outcome) => outcomes.push(outcome),
  );
  const runs = faults.map(({ id }) => findExamination(outcomes, 'fault', id));
  const found = runs.filter(({ judged }) => judged.some(isRed)).length;
  const requests = runs.map((run) => run.requests).sort((one, other) => one - other);
  const [median, most] = [requests[Math.floor(requests.length / 2)], requests.at(-1)];
  console.log(
    `| ${budget} | ${checks.length} | ${median} | ${most} | ${((100 * found) / faults.length).toFixed(1)} % |`,
  );
}

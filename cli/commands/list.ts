import { Command } from 'commander';
import { pluralize } from '../../reporting/text/wording.ts';
import { checkCatalogue } from '../../specs/catalogue/catalogue.ts';
import { profileCostFor } from '../../specs/catalogue/profile-costs.ts';
import { profileNames, profileTitle } from '../../specs/catalogue/selection.ts';
import { detectedShare } from '../../specs/fault-signatures.ts';
import { type SelectionOptions, selectedChecks, withSelectionOptions } from '../options/selection-options.ts';

export const listCommand = withSelectionOptions(
  new Command('list').description('list the checks of a profile, with the requirements that they judge'),
)
  .option('--ids', 'print check ids only, one per line', false)
  .addHelpText(
    'after',
    `\nProfiles:\n${profileNames.map((name) => `  ${name.padEnd(10)} ${profileTitle(name)}`).join('\n')}\n
Examples:\n  $ conformance list --profile smoke\n  $ conformance list --only LIFE-02 --ids`,
  )
  .action((options: SelectionOptions & { ids: boolean }) => {
    const checks = selectedChecks(options);
    if (options.ids) return console.log(checks.join('\n'));
    let sentence = '';
    for (const id of checks) {
      const check = checkCatalogue.get(id);
      if (!check) continue;
      const { requirement } = check;
      if (requirement.id !== sentence)
        console.log(`\n${requirement.id} (${requirement.level}) ${requirement.statement}`);
      sentence = requirement.id;
      console.log(`  ${id.padEnd(34)} ${check.title}`);
    }
    const count = `${pluralize(checks.length, 'check')} of the profile ${options.profile}`;
    const share = `${Math.round(100 * detectedShare(checks))} % of the known defects`;
    const verb = checks.length === 1 ? 'it detects' : 'they detect';
    const requests = `about ${profileCostFor(options.profile).requests.everybody} requests with keys for all actors`;
    console.log(`\n${count}${options.only ? '' : `, ${requests}`}; ${verb} ${share}`);
  });

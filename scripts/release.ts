import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { prepareRelease } from './release/prepare-release.ts';
import { ReleaseError } from './release/release-error.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `npm run release -- 0.2.0 --dry-run`: changelog, version, package, notes, commit and tag of a release. docs/releasing.md describes it. */
new Command('release')
  .description('prepare a release: version, changelog, package, notes, commit and tag; publishes nothing')
  .argument('<version>', 'the new version, such as 0.2.0')
  .option('--dry-run', 'do everything but the commit on main and the tag', false)
  .action(async (version: string, { dryRun }: { dryRun: boolean }) => {
    try {
      console.log(await prepareRelease(root, { version, dryRun, date: new Date() }));
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error;
      for (const problem of error.problems) console.error(`release: ${problem}`);
      process.exitCode = 2;
    }
  })
  .parse();

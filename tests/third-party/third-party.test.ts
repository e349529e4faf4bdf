import { describe, expect, test } from 'vitest';
import { judgeTarget } from '../../cli/prove/judge-server.ts';
import { checksNotPassed } from '../../cli/prove/proof-result.ts';
import { DIALECTS, isInstalled, type Language, startThirdParty, thirdParties } from './servers.ts';

const languages = Object.keys(thirdParties) as Language[];

describe.concurrent.each(languages)('a conforming server in %s', (language) => {
  const installed = isInstalled(language);
  if (!installed) console.warn(`SKIPPED: the honest server in ${language} is not judged, ${language} is not installed`);

  test.skipIf(!installed).each(DIALECTS)(
    'passes every check in its dialect %s',
    async (dialect) => {
      const { target, close } = await startThirdParty(language, dialect);
      try {
        const judged = await judgeTarget(target);
        expect(checksNotPassed(judged)).toEqual([]);
        // A server must not pass because its checks are not applicable.
        expect(judged.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(judged.length * 0.8);
      } finally {
        await close();
      }
    },
    180_000,
  );
});

import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { assertOpenFiles } from '../../../cli/processes/open-files.ts';
import { MAIN } from '../support/command.ts';

/** The exit code and the messages of a run in a shell with this limit. */
function runWithin(limit: number): Promise<{ code: unknown; said: string }> {
  const line = `ulimit -n ${limit} && exec "${process.execPath}" "${MAIN}" run --only AUTH-01`;
  return new Promise((resolve) =>
    execFile('sh', ['-c', line], { cwd: tmpdir() }, (error, _, stderr) =>
      resolve({ code: error?.code ?? 0, said: stderr }),
    ),
  );
}

test.skipIf(process.platform === 'win32').each([64, 100, 112, 160, 240])(
  'a run with a limit of %i open files ends with one line',
  async (limit) => {
    const { code, said } = await runWithin(limit);
    expect([code, said.trimEnd().split('\n')]).toEqual([
      2,
      [
        expect.stringMatching(
          /^conformance: .*open .*files.*; raise (it|the limit), for example with "ulimit -n 1024"$/,
        ),
      ],
    ]);
  },
);

test('a sufficient limit, or none, is accepted', () => {
  expect(() => assertOpenFiles(256)).not.toThrow();
  expect(() => assertOpenFiles(null)).not.toThrow();
});

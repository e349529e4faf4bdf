#!/usr/bin/env node
// This file imports nothing statically, so that it can report a module that cannot be loaded. Node.js would end with exit code 1, which
// means that the server breaks a requirement.
const EXIT_USAGE = 2;
const EXIT_BROKEN = 4;

function endWithoutProgram(error: NodeJS.ErrnoException): never {
  const hasTooFewFiles = error.code === 'EMFILE' || error.code === 'ENFILE';
  process.stderr.write(
    hasTooFewFiles
      ? `conformance: this process may not open the files of the kit (${error.code}); raise the limit, for example with "ulimit -n 1024"\n`
      : `conformance: internal error of the kit: ${error.stack}\n`,
  );
  process.exit(hasTooFewFiles ? EXIT_USAGE : EXIT_BROKEN);
}

// If several modules cannot be loaded, the import is rejected with one error, and Node.js reports the others here.
process.on('unhandledRejection', endWithoutProgram);
const { runProgram } = await import('./program.ts').catch(endWithoutProgram);
await runProgram(process.argv, () => process.off('unhandledRejection', endWithoutProgram));

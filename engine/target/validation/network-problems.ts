import type { Target } from '../../../specs/target-file/target.ts';
import { isLoopback } from '../network/loopback.ts';
import { proxyCredentials } from '../network/proxy-settings.ts';
import { type FieldProblem, literalProblems } from './field-problem.ts';
import { headerProblems } from './header-problems.ts';

/** The problems of `headers`, `tls` and `proxy`, except for the files that they name. `raw` is the file's content with its references. */
export function networkProblems(target: Target, raw: unknown): FieldProblem[] {
  const { proxy } = target;
  const isOpen = proxyCredentials(proxy)[1] !== '' && !isLoopback(proxy);
  return [
    ...headerProblems(target, raw),
    ...literalProblems(target, raw, ['tls', 'passphrase']),
    ...(isOpen ? literalProblems(target, raw, ['proxy']) : []),
  ];
}

import type { Target } from '../../../specs/target.ts';
import { isLoopback } from '../loopback.ts';
import { proxyUser } from '../proxy-settings.ts';
import { type FieldFault, literalFault } from './field-problem.ts';
import { headerFaults } from './header-problems.ts';

/** What is wrong with `headers`, `tls` and `proxy`, beside the files that they name. `raw` is the file's content with its references. */
export function networkFaults(target: Target, raw: unknown): FieldFault[] {
  const { proxy } = target;
  const isOpen = proxyUser(proxy)[1] !== '' && !isLoopback(proxy);
  return [
    ...headerFaults(target, raw),
    ...literalFault(target, raw, ['tls', 'passphrase']),
    ...(isOpen ? literalFault(target, raw, ['proxy']) : []),
  ];
}

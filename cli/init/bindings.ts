import { isDeepStrictEqual } from 'node:util';
import { OPERATION_NAMES, type OperationName, type OperationTemplate } from '../../specs/target-file/target.ts';
import type { DocumentedBindings } from './openapi/documented-bindings.ts';
import { READ_OPERATIONS, type ReadBindings } from './server/read-bindings.ts';

/** What init knows about an operation. */
export interface BindingFinding {
  /** The binding to write; absent if init has not found one, so that the usual one remains. */
  template?: OperationTemplate;
  /** Where it comes from, or why there is none. */
  comment: string;
}

export type BindingFindings = Partial<Record<OperationName, BindingFinding>>;

/** Decides each operation by the responses of the server, then by the OpenAPI document. Either may be missing. */
export function decideBindings(documented: DocumentedBindings | null, read: ReadBindings | null): BindingFindings {
  return Object.fromEntries(
    OPERATION_NAMES.map((name) => [name, decide(name, documented, read)] as const).filter(
      ([, found]) => found !== null,
    ),
  );
}

function decide(
  name: OperationName,
  documented: DocumentedBindings | null,
  read: ReadBindings | null,
): BindingFinding | null {
  const written = documented?.bindings[name];
  const answered = read?.answered[name];
  if (answered !== undefined) {
    const isBoth = isDeepStrictEqual(answered, written);
    return { template: answered, comment: isBoth ? 'from the OpenAPI document, returned 200' : 'returned 200' };
  }
  const status = read?.rejected[name];
  if (written !== undefined) {
    const isTried = written.method === 'GET' && status !== undefined;
    const comment = isTried ? `from the OpenAPI document, but it returned ${status}` : 'from the OpenAPI document';
    return { template: written, comment };
  }
  const undecided = documented?.undecided[name];
  if (status !== undefined) return { comment: `usual path, but it returned ${status}` };
  if (undecided !== undefined) return { comment: `usual path; ${undecided}` };
  const isTried = READ_OPERATIONS.some((each) => each === name);
  return read === null
    ? null
    : { comment: isTried ? 'usual path, no invoice to try it with' : 'usual path, not tried' };
}

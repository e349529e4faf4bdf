import { bindingContradiction, describeBinding } from '../../../engine/diagnosis/operation-binding.ts';
import { operationProblems } from '../../../engine/target/validation/operation-problems.ts';
import { placeholderProblems } from '../../../engine/target/validation/placeholder-problems.ts';
import { lifecycle } from '../../../specs/contract/lifecycle.ts';
import {
  OPERATION_NAMES,
  type OperationName,
  type OperationTemplate,
  targetFile,
} from '../../../specs/target-file/target.ts';
import { actionCandidates, type Candidate } from './action-candidates.ts';
import { type DocumentedOperation, documentedOperations } from './documented-operations.ts';
import { LocalReferences } from './local-references.ts';
import { type OtherOperation, otherCandidates } from './other-candidates.ts';
import type { OpenApiDocument } from './parse-document.ts';

/** What a document says about the operations of the target file. */
export interface DocumentedBindings {
  bindings: Partial<Record<OperationName, OperationTemplate>>;
  /** Why an operation is not bound, for those that the document does not decide. */
  undecided: Partial<Record<OperationName, string>>;
  /** References to other documents, which are not followed. */
  foreignReferences: string[];
}

const MAX_LISTED = 3;

/** Finds the operations of the target file in a document, by path, method, operationId and body. */
export function findDocumentedBindings(document: OpenApiDocument, baseUrl: string): DocumentedBindings {
  const references = new LocalReferences(document.root);
  const operations = documentedOperations(document, references, baseUrl);
  const bindings: DocumentedBindings['bindings'] = {};
  const undecided: DocumentedBindings['undecided'] = {};
  for (const name of OPERATION_NAMES) {
    const decided = decide(candidatesFor(name, operations, references).filter((each) => isValid(name, each.template)));
    if (typeof decided === 'string') undecided[name] = decided;
    else bindings[name] = decided;
  }
  const consistent = { ...bindings };
  for (const name of OPERATION_NAMES) {
    const contradiction = bindingContradiction(name, { operations: bindings });
    if (contradiction === null) continue;
    delete consistent[name];
    undecided[name] = `in the OpenAPI document it ${contradiction.split(';')[0]}`;
  }
  return { bindings: consistent, undecided, foreignReferences: [...references.foreign] };
}

function candidatesFor(
  name: OperationName,
  operations: readonly DocumentedOperation[],
  references: LocalReferences,
): Candidate[] {
  const action = lifecycle.actions.find((each) => each === name);
  return operations.flatMap((operation) =>
    action === undefined
      ? otherCandidates(name as OtherOperation, operation, references)
      : actionCandidates(action, operation, references),
  );
}

/** The clearest candidate, or why there is none. */
function decide(candidates: readonly Candidate[]): OperationTemplate | string {
  const best = candidates.reduce((highest, { score }) => Math.max(highest, score), Number.NEGATIVE_INFINITY);
  const [first, ...others] = candidates.filter(({ score }) => score === best);
  if (first === undefined) return 'not in the OpenAPI document';
  const usable = [first, ...others].filter(({ obstacle }) => obstacle === null);
  const requests = [...new Set([first, ...others].map(({ template }) => describeBinding(template)))];
  if (requests.length > 1) {
    const more = requests.length > MAX_LISTED ? ' …' : '';
    return `the OpenAPI document has several: ${requests.slice(0, MAX_LISTED).join(', ')}${more}`;
  }
  // Several forms of one body: any that init can fill will do.
  return usable[0]?.template ?? `${requests[0]} in the OpenAPI document ${first.obstacle}`;
}

/** Whether a target file with this binding alone is valid. */
function isValid(name: OperationName, template: OperationTemplate): boolean {
  const operations = { [name]: template };
  return (
    targetFile.shape.operations.safeParse(operations).success &&
    placeholderProblems({ operations }).length + operationProblems({ operations }).length === 0
  );
}

import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import { RejectionError, rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { creationFault } from '../support/creation.ts';

/** The body parser repairs bodies that are not JSON objects. */
function parsing(repair: (text: string) => string): RuleChange {
  return overrideRules((base) => ({
    parseBody: (service, request) => base.parseBody(service, { ...request, text: repair(request.text) }),
  }));
}

/** Rejects one kind of body with a status other than 400. */
function refusing(kind: (text: string) => boolean, refusal: () => Error): RuleChange {
  return overrideRules((base) => ({
    parseBody: (service, request) => {
      if (request.method === 'POST' && request.path === '/api/v1/invoices' && kind(request.text)) throw refusal();
      return base.parseBody(service, request);
    },
  }));
}

const unprocessable = () => new RejectionError(422, 'REQ422', 'The body cannot be processed');

const isCreation = ({ route }: Call) => route.name === 'create';

export const creationBodySyntaxFaults: readonly Fault[] = [
  {
    id: 'create-malformed-422',
    requirement: 'CREATE-10',
    defect: 'Malformed JSON is rejected with 422, the default of the framework.',
    caughtBy: ['CREATE-10.malformed'],
    rules: refusing((text) => text.includes('oops'), unprocessable),
  },
  {
    id: 'create-truncated-repaired',
    requirement: 'CREATE-10',
    defect: 'A streaming parser closes open objects, so a truncated body creates an invoice.',
    caughtBy: ['CREATE-10.truncated'],
    rules: parsing((text) => (text.startsWith('{') && text.endsWith('"') ? `${text}}` : text)),
  },
  {
    id: 'create-trailing-ignored',
    requirement: 'CREATE-10',
    defect: 'The decoder reads the first JSON value and ignores the text after it.',
    caughtBy: ['CREATE-10.trailing'],
    rules: parsing((text) => text.replace(/\} and more$/, '}')),
  },
  {
    id: 'create-empty-204',
    requirement: 'CREATE-10',
    defect: 'An empty body is taken for a health probe and gets 204.',
    caughtBy: ['CREATE-10.empty'],
    routes: (base) =>
      base.map((route) =>
        route.name === 'create'
          ? { ...route, perform: (call) => (call.request.text === '' ? { status: 204 } : route.perform(call)) }
          : route,
      ),
  },
  {
    id: 'create-array-unwrapped',
    requirement: 'CREATE-10',
    defect: 'An array with one invoice is accepted as a batch.',
    caughtBy: ['CREATE-10.array'],
    rules: parsing((text) => (text.startsWith('[') ? text.slice(1, -1) : text)),
  },
  {
    id: 'create-string-422',
    requirement: 'CREATE-10',
    defect: 'A body that is a JSON string is well-formed and fails later with 422.',
    caughtBy: ['CREATE-10.string'],
    rules: refusing((text) => text.startsWith('"'), unprocessable),
  },
  {
    id: 'create-null-crashes',
    requirement: 'CREATE-10',
    defect: 'typeof null is "object": the body null passes the type check and then causes a 500.',
    caughtBy: ['CREATE-10.null', 'ERR-05.no-internal-error'],
    rules: refusing(
      (text) => text === 'null',
      () => new TypeError('cannot read properties of null'),
    ),
  },
  {
    id: 'create-single-quotes',
    requirement: 'CREATE-10',
    defect: 'A body without double quotes is taken for that of an old script, and its single quotes are accepted.',
    caughtBy: ['CREATE-10.json5-syntax'],
    rules: overrideRules((base) => ({
      parseBody: (service, request) => {
        const text = request.text.includes('"') ? request.text : request.text.replaceAll("'", '"');
        return base.parseBody(service, { ...request, text });
      },
    })),
  },
  {
    id: 'create-json-with-trailing-comma',
    requirement: 'CREATE-10',
    defect: 'Bodies are read by the parser for configuration files, which accepts trailing commas.',
    caughtBy: ['CREATE-10.json5-syntax'],
    rules: overrideRules((base) => ({
      parseBody: (service, request) =>
        base.parseBody(service, { ...request, text: request.text.replace(/,\s*\}$/, '}') }),
    })),
  },
  creationFault(
    'charset-rejected',
    'CREATE-18.charset',
    'The Content-Type is compared as a whole: one with a charset is rejected.',
    overrideRules((base) => ({
      authorize: (call) => {
        base.authorize(call);
        if (isCreation(call) && call.request.headers.get('Content-Type')?.includes(';')) {
          throw rejections.unreadableBody('Content-Type must be application/json');
        }
      },
    })),
  ),
];

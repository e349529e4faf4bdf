import type { Body } from '../../service/call.ts';
import type { Fault } from '../fault.ts';
import { creationFault, OPTIONAL_FIELDS, rewriteBody } from '../support/creation.ts';

const withoutBooleans = (body: Body) =>
  Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !(OPTIONAL_FIELDS.includes(name) && typeof value === 'boolean')),
  );

export const creationFieldTypesFaults: readonly Fault[] = [
  creationFault(
    'big-number-as-text',
    'CREATE-05.description-huge-number',
    'The parser keeps numbers out of range as texts, so such a number is accepted as a description.',
    rewriteBody((body) =>
      typeof body.description === 'number' && !Number.isSafeInteger(body.description)
        ? { ...body, description: String(body.description) }
        : body,
    ),
  ),
  creationFault(
    'ignores-booleans',
    'CREATE-05.generated',
    'An optional field with the value true or false counts as absent.',
    rewriteBody(withoutBooleans),
  ),
];

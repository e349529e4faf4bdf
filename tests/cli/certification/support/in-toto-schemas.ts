/** From the specification of in-toto: Statement v1, ResourceDescriptor, DigestSet and the predicate test-result v0.1. */

const digestSet = {
  type: 'object',
  minProperties: 1,
  propertyNames: { pattern: '^[A-Za-z0-9_]+$' },
  additionalProperties: { type: 'string', pattern: '^[0-9a-f]+$' },
};

const resourceDescriptor = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    uri: { type: 'string' },
    digest: digestSet,
    content: { type: 'string' },
    downloadLocation: { type: 'string' },
    mediaType: { type: 'string' },
    annotations: { type: 'object' },
  },
  anyOf: ['uri', 'digest', 'content'].map((member) => ({
    type: 'object',
    required: [member],
    properties: { [member]: {} },
  })),
};

const uri = { type: 'string', pattern: '^[a-z][a-z0-9+.-]*:\\S+$' };

export const statementSchema = {
  type: 'object',
  required: ['_type', 'subject', 'predicateType'],
  properties: {
    _type: { const: 'https://in-toto.io/Statement/v1' },
    subject: {
      type: 'array',
      minItems: 1,
      items: {
        allOf: [resourceDescriptor, { type: 'object', required: ['digest'], properties: { digest: digestSet } }],
      },
    },
    predicateType: uri,
    predicate: { type: 'object' },
  },
};

const testNames = { type: 'array', uniqueItems: true, items: { type: 'string' } };

export const testResultSchema = {
  ...statementSchema,
  required: [...statementSchema.required, 'predicate'],
  properties: {
    ...statementSchema.properties,
    predicateType: { const: 'https://in-toto.io/attestation/test-result/v0.1' },
    predicate: {
      type: 'object',
      required: ['result', 'configuration'],
      properties: {
        result: { enum: ['PASSED', 'WARNED', 'FAILED'] },
        configuration: { type: 'array', items: resourceDescriptor },
        url: uri,
        passedTests: testNames,
        warnedTests: testNames,
        failedTests: testNames,
      },
    },
  },
};

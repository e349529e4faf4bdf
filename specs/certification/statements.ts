import { z } from 'zod';
import { report } from '../formats/report.ts';
import { sha256 } from './package.ts';

const digestSet = z.strictObject({ sha256 });
const resource = z.strictObject({ name: z.string(), digest: digestSet });

function statement<Type extends string, Predicate extends z.ZodType>(predicateType: Type, predicate: Predicate) {
  return z.strictObject({
    _type: z.literal('https://in-toto.io/Statement/v1'),
    /** The files of the package. */
    subject: z.array(resource),
    predicateType: z.literal(predicateType),
    predicate,
  });
}

/** An in-toto Statement v1 with the test-result predicate v0.1. */
export const testResultStatement = statement(
  'https://in-toto.io/attestation/test-result/v0.1',
  z.strictObject({
    /** `PASSED` only if everything that is required was judged and nothing failed or has a warning. */
    result: z.enum(['PASSED', 'WARNED', 'FAILED']),
    /** The catalogue of requirements and the target file. */
    configuration: z.array(resource),
    passedTests: z.array(z.string()),
    warnedTests: z.array(z.string()),
    failedTests: z.array(z.string()),
  }),
);
export type TestResultStatement = z.infer<typeof testResultStatement>;

/** An in-toto Statement v1 with everything that identifies a run and its verdict. */
export const runStatement = statement(
  'urn:invoicing-network-conformance:run:v1',
  z.strictObject({
    kit: report.shape.kit,
    certification: report.shape.certification,
    run: report.shape.run,
    target: report.shape.target,
    catalogue: report.shape.catalogue,
    verdict: report.shape.verdict,
    headline: report.shape.headline,
    exceptions: report.shape.exceptions,
    notes: report.shape.notes,
    requirements: z.array(z.strictObject({ id: z.string(), level: z.string(), verdict: z.string() })),
    checks: z.array(z.strictObject({ id: z.string(), level: z.string(), verdict: z.string() })),
  }),
);
export type RunStatement = z.infer<typeof runStatement>;

/** An in-toto Statement v1 with the Simple Verification Result predicate v0.2: the certificate of a desk. */
export const certificateStatement = statement(
  'https://in-toto.io/attestation/svr/v0.2',
  z.strictObject({
    verifier: z.strictObject({
      id: z.string().describe('URI of the desk.'),
      policies: z.array(resource),
    }),
    timeCreated: z.iso.datetime(),
    properties: z.array(z.string()),
    /** Accepted breaches. They do not change the verdict. */
    waivers: z.array(
      z.strictObject({ requirement: z.string(), reason: z.string(), author: z.string(), expires: z.string() }),
    ),
  }),
);
export type CertificateStatement = z.infer<typeof certificateStatement>;

/** A DSSE envelope. `payload` and `sig` are base64. */
export const envelope = z.strictObject({
  payloadType: z.literal('application/vnd.in-toto+json'),
  payload: z.base64(),
  signatures: z.array(z.strictObject({ keyid: z.string(), sig: z.base64() })),
});
export type Envelope = z.infer<typeof envelope>;

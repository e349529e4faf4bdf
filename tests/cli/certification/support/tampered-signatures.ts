import { keyId } from '../../../../reporting/certification/envelope.ts';
import { PACKAGE_FILES } from '../../../../specs/certification/package.ts';
import { type Envelope, envelope } from '../../../../specs/certification/statements.ts';
import { partner, type SealedRun, sealRun, stranger, toJson } from './packages.ts';
import { repacked, type Tampering } from './tampering.ts';

const { testResult, run } = PACKAGE_FILES;
const STATEMENTS = [testResult, run];
const NO_SIGNER = /^no accepted key has signed the package$|^the package is not signed$/;

async function contentSealedBy({ run: certified, sealedAt }: SealedRun, key: typeof partner | null) {
  const { content } = await sealRun(certified, { sealedAt, key });
  return content;
}

function withEnvelopes({ content }: SealedRun, paths: readonly string[], edit: (found: Envelope) => Envelope) {
  return new Map(
    [...content].map(([path, bytes]) => {
      if (!paths.includes(path)) return [path, bytes];
      return [path, toJson(edit(envelope.parse(JSON.parse(Buffer.from(bytes).toString()))))];
    }),
  );
}

function oneUnsigned(path: string): Tampering {
  return repacked(`signed, but not ${path}`, NO_SIGNER, (base) =>
    withEnvelopes(base, [path], (found) => ({ ...found, signatures: [] })),
  );
}

/** The signature stays, and the statement says that everything passed. */
function withOtherPayload({ payload, ...found }: Envelope): Envelope {
  const statement = Buffer.from(payload, 'base64').toString().replace('"result":"WARNED"', '"result":"PASSED"');
  return { ...found, payload: Buffer.from(statement.replace(/"seed":\d+/, '"seed":8')).toString('base64') };
}

export const tamperedSignatures: readonly Tampering[] = [
  repacked('unsigned', NO_SIGNER, (base) => contentSealedBy(base, null)),
  repacked('signed with an unknown key', NO_SIGNER, (base) => contentSealedBy(base, stranger)),
  ...STATEMENTS.map(oneUnsigned),
  repacked(
    'each statement signed with another accepted key',
    NO_SIGNER,
    async (base) => {
      const other = await contentSealedBy(base, stranger);
      return new Map([...base.content, [run, other.get(run) ?? Buffer.of()]]);
    },
    { keys: [partner.publicKey, stranger.publicKey] },
  ),
  ...STATEMENTS.map((path) =>
    repacked(`another payload in ${path} under the old signature`, NO_SIGNER, (base) =>
      withEnvelopes(base, [path], withOtherPayload),
    ),
  ),
  repacked('the id of the accepted key at the signature of another', NO_SIGNER, async (base) => {
    const content = await contentSealedBy(base, stranger);
    return withEnvelopes({ ...base, content }, STATEMENTS, ({ signatures, ...rest }) => ({
      ...rest,
      signatures: signatures.map(({ sig }) => ({ keyid: keyId(partner.publicKey), sig })),
    }));
  }),
  repacked(
    'another type of payload',
    /^test-result\.dsse\.json is not a DSSE envelope/,
    (base) =>
      new Map(
        [...base.content].map(([path, bytes]) => [
          path,
          path === testResult
            ? Buffer.from(Buffer.from(bytes).toString().replace('application/vnd.in-toto+json', 'text/plain'))
            : bytes,
        ]),
      ),
  ),
  repacked('no key given', /^no key was given, so the signature was not verified$/, ({ content }) => content, {
    keys: [],
  }),
];

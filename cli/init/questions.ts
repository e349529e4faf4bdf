import type { Readable, Writable } from 'node:stream';
import { type CANCEL_SYMBOL, confirm, isCancel, log, multiselect, password, text } from '@clack/prompts';
import { baseUrlProblems } from '../../engine/target/validation/schema-problems.ts';
import { ACTOR_NAMES, type ActorName } from '../../specs/target-file/target.ts';
import { Cancelled } from './cancelled.ts';
import { credentialProblem } from './given-problems.ts';
import {
  CREDENTIAL_PARTS,
  type CredentialPart,
  type GivenActors,
  hasCredentials,
  variableFor,
} from './given-values.ts';
import { storageProblem } from './secrets/env-text.ts';
import { isUnencrypted, UNENCRYPTED } from './server/encryption.ts';

/** A terminal; by default, the streams of the process. */
export interface TerminalStreams {
  input?: Readable;
  output?: Writable;
  /** Cancels the question that is open. */
  signal?: AbortSignal;
}

const FURTHER_ACTORS = ['outsider', 'readOnly', 'revoked', 'production'] as const;
const HINTS: Record<(typeof FURTHER_ACTORS)[number], string> = {
  outsider: 'a third sandbox organization',
  readOnly: "the seller's organization, with permission to read only",
  revoked: 'a revoked key',
  production: "the seller's organization; the kit only reads with it",
};

/** Asks for the base URL; without an answer, takes the example. Throws Cancelled. */
export async function askBaseUrl(example: string, streams: TerminalStreams): Promise<string> {
  const given = await text({
    ...streams,
    message: 'Base URL of the server',
    placeholder: example,
    defaultValue: example,
    validate: (value) => (value === undefined || value === '' ? undefined : baseUrlProblems(value)[0]),
  });
  return answered(given).trim();
}

/** Asks for the keys and secrets that are not given yet. Throws Cancelled. */
export async function askCredentials(
  baseUrl: string,
  known: GivenActors,
  streams: TerminalStreams,
): Promise<GivenActors> {
  if (isUnencrypted(baseUrl)) log.warn(`${baseUrl}: ${UNENCRYPTED}`, streams);
  const ask = new CredentialQuestions(baseUrl, known, streams);
  await ask.about('seller', { isOptional: false });
  await ask.about('buyer', { isOptional: true });
  for (const actor of await askFurtherActors(known, streams)) await ask.about(actor, { isOptional: true });
  return ask.given;
}

/** Asks whether to replace a variable of a file. Throws Cancelled. */
export async function askReplacement(variable: string, file: string, streams: TerminalStreams): Promise<boolean> {
  const message = `${variable} is already in ${file} with another value. Replace it?`;
  return answered(await confirm({ ...streams, message, initialValue: false }));
}

async function askFurtherActors(known: GivenActors, streams: TerminalStreams): Promise<ActorName[]> {
  const open = FURTHER_ACTORS.filter((actor) => !hasCredentials(known[actor]));
  const begun = open.filter((actor) => known[actor]?.key ?? known[actor]?.secret);
  if (open.length === 0) return [];
  const message = `Add keys of further actors (${open.join(', ')})?`;
  if (!answered(await confirm({ ...streams, message, initialValue: false }))) return begun;
  const options = open.map((value) => ({ value, label: value, hint: HINTS[value] }));
  const chosen = answered(
    await multiselect({ ...streams, message: 'Which actors?', options, initialValues: begun, required: false }),
  );
  return ACTOR_NAMES.filter((actor) => chosen.some((each) => each === actor));
}

class CredentialQuestions {
  given: GivenActors;
  private readonly baseUrl: string;
  private readonly streams: TerminalStreams;

  constructor(baseUrl: string, known: GivenActors, streams: TerminalStreams) {
    this.baseUrl = baseUrl;
    this.given = known;
    this.streams = streams;
  }

  /** Asks for key and secret of an actor. An actor without a key gets no secret. */
  async about(actor: ActorName, { isOptional }: { isOptional: boolean }): Promise<void> {
    for (const part of CREDENTIAL_PARTS) {
      if (this.given[actor]?.[part] !== undefined) continue;
      const mayBeEmpty = isOptional && part === 'key' && this.given[actor]?.secret === undefined;
      const value = await this.ask(actor, part, { mayBeEmpty });
      if (value === '') return;
      this.given = this.withValue(actor, part, value);
    }
  }

  private async ask(actor: ActorName, part: CredentialPart, { mayBeEmpty }: { mayBeEmpty: boolean }): Promise<string> {
    const given = await password({
      ...this.streams,
      message: `${actor}: ${part}${mayBeEmpty ? ' (Enter skips this actor)' : ''}`,
      validate: (value = '') => {
        if (value !== '') {
          const given = this.withValue(actor, part, value);
          return credentialProblem(this.baseUrl, given, [actor, part]) ?? storageProblem(value);
        }
        return mayBeEmpty ? undefined : `write the ${part}; Esc ends init, and --yes writes the file without keys`;
      },
    });
    // An empty password is undefined, in spite of its type.
    return answered<string | undefined>(given) ?? '';
  }

  private withValue(actor: ActorName, part: CredentialPart, value: string): GivenActors {
    const variable = variableFor(actor, part, this.given);
    return { ...this.given, [actor]: { ...this.given[actor], [part]: { value, variable, source: 'terminal' } } };
  }
}

function answered<T>(answer: T | typeof CANCEL_SYMBOL): T {
  if (isCancel(answer)) throw new Cancelled();
  return answer;
}

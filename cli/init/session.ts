import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { kit } from '../../engine/runtime/package-info.ts';
import type { EnvironmentVariables } from '../../engine/target/environment-variables.ts';
import { readAuthorities } from '../../engine/target/network/certificate-authorities.ts';
import { baseUrlProblems } from '../../engine/target/validation/schema-problems.ts';
import { packageRoot } from '../../specs/code-location.ts';
import { givenActorProblems } from './given-problems.ts';
import { type GivenActors, readGivenActors } from './given-values.ts';
import { type Inspection, inspectDocument, inspectServer } from './inspection.ts';
import { isUrl, type NamedDocument, readDocumentFile, requestDocument } from './openapi/document-source.ts';
import type { TerminalStreams } from './questions.ts';
import { schemaLine } from './schema-line.ts';
import { readEnvFile } from './secrets/env-file.ts';
import { envFilePath, planStorage, storeSecrets } from './secrets/secret-storage.ts';
import { isUnencrypted, UNENCRYPTED } from './server/encryption.ts';
import { probeTarget } from './server/probe-target.ts';
import { ReadRequests } from './server/read-requests.ts';
import type { Summary } from './summary.ts';
import { targetTemplate } from './target-template.ts';

export interface InitRequest {
  /** The target file to write. */
  file: string;
  baseUrl?: string | undefined;
  secrets?: string | undefined;
  envFile?: string | undefined;
  openapi?: string | undefined;
  ca?: string | undefined;
  /** Whether requests may be sent. */
  probe: boolean;
  environment: EnvironmentVariables;
  /** The terminal in which to ask; null to ask nothing. */
  terminal: TerminalStreams | null;
  /** Receives the lines that the user must see before the first request. */
  announce: (line: string) => void;
  stop: AbortSignal;
}

const EXAMPLE_BASE_URL = 'https://staging.example.com';

/** Asks, requests and decides, then writes the target file. Throws Cancelled or a ConfigurationError, with nothing written. */
export async function initialize(request: InitRequest): Promise<Summary> {
  const { file, environment, terminal, ca } = request;
  assertUsable(request);
  const document = await readNamedDocument(request);
  const known = readGivenActors({ environment, secretsFile: request.secrets });
  const questions = terminal === null ? null : await import('./questions.ts');
  const asked = questions && terminal ? { questions, terminal } : null;
  const baseUrl = request.baseUrl?.trim() ?? (await asked?.questions.askBaseUrl(EXAMPLE_BASE_URL, asked.terminal));
  const address = baseUrl ?? EXAMPLE_BASE_URL;
  const given = (await asked?.questions.askCredentials(address, known, asked.terminal)) ?? known;
  assertValidActors(address, given);
  const confirm = asked
    ? (variable: string, path: string) => asked.questions.askReplacement(variable, path, asked.terminal)
    : null;
  const plan = await planStorage(given, request, confirm);

  const mayRequest = request.probe && baseUrl !== undefined && baseUrl !== EXAMPLE_BASE_URL;
  const inspection = mayRequest
    ? await inspect(request, { baseUrl, given, document })
    : inspectDocument(address, document);
  const draft = {
    ...inspection,
    given,
    schemaLine: schemaLine(file, { name: kit.name, root: packageRoot }),
    ca: ca === undefined ? null : relative(dirname(resolve(file)), resolve(ca)).replaceAll('\\', '/'),
  };
  const stored = plan === null ? null : storeSecrets(plan);
  writeTarget(file, targetTemplate(draft));
  return { file, given, inspection, stored };
}

/** Finds what is wrong before the user has typed anything. */
function assertUsable(request: InitRequest): void {
  const { file, baseUrl, ca, envFile, terminal } = request;
  const problems = baseUrl === undefined ? [] : baseUrlProblems(baseUrl).map((text) => `--base-url: ${text}`);
  if (problems.length > 0) throw new ConfigurationError(...problems);
  if (existsSync(file)) {
    if (statSync(file).isDirectory()) throw new ConfigurationError(`${file}: is a folder; name a file in it`);
    throw new ConfigurationError(`${file}: already exists; name another file or remove it first`);
  }
  assertWritable(file, file);
  if (ca !== undefined) readAuthorities(ca, '--ca');
  if (envFile === undefined && terminal === null) return;
  const secretsFile = envFilePath(request);
  if (resolve(secretsFile) === resolve(file)) {
    throw new ConfigurationError(
      `--write-secrets: ${secretsFile} is the target file, which holds no secrets; name another file`,
    );
  }
  assertWritable(secretsFile, `--write-secrets: ${secretsFile}`);
  readEnvFile(secretsFile);
}

function assertWritable(file: string, name: string): void {
  try {
    accessSync(dirname(resolve(file)), constants.W_OK);
  } catch (error) {
    throw notWritable(name, error);
  }
}

function notWritable(name: string, error: unknown): ConfigurationError {
  const { code } = error as NodeJS.ErrnoException;
  return new ConfigurationError(`${name}: cannot be written (${code}); name a file in a folder that can be written`);
}

function assertValidActors(baseUrl: string, given: GivenActors): void {
  const problems = givenActorProblems(baseUrl, given);
  if (problems.length > 0) throw new ConfigurationError(...problems);
}

async function readNamedDocument({
  openapi,
  probe,
  ca,
  environment,
  stop,
}: InitRequest): Promise<NamedDocument | null> {
  if (openapi === undefined) return null;
  if (!isUrl(openapi)) return readDocumentFile(openapi);
  if (!probe) {
    throw new ConfigurationError(
      '--openapi: found a URL, but --no-probe forbids requests; name a file, or remove --no-probe',
    );
  }
  if (!URL.canParse(openapi)) throw new ConfigurationError('--openapi: is not a valid URL; correct it, or name a file');
  const { origin } = new URL(openapi);
  const requests = new ReadRequests(probeTarget({ baseUrl: origin, ca, given: {} }, environment), stop);
  return await requestDocument(requests, openapi).finally(() => requests.close());
}

async function inspect(
  { ca, environment, announce, terminal, stop }: InitRequest,
  { baseUrl, given, document }: { baseUrl: string; given: GivenActors; document: NamedDocument | null },
): Promise<Inspection> {
  const target = probeTarget({ baseUrl, ca, given }, environment);
  // In a terminal, the user has read it before the keys were asked for.
  if (terminal === null && isUnencrypted(baseUrl) && Object.keys(target.actors).length > 0) {
    announce(`--base-url: ${baseUrl} ${UNENCRYPTED}`);
  }
  announce(`Reading from ${baseUrl} with GET requests, which change nothing …`);
  const requests = new ReadRequests(target, stop);
  return await inspectServer(requests, given, document).finally(() => requests.close());
}

function writeTarget(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw notWritable(file, error);
  }
}

import { dirname, resolve } from 'node:path';
import { similarName } from '../../specs/nearest-name.ts';
import { createTarget, type Target, targetFile } from '../../specs/target-file/target.ts';
import { ConfigurationError } from '../model/configuration-error.ts';
import {
  actorsFromEnvironment,
  actorVariable,
  type EnvironmentVariables,
  fillReferences,
} from './environment-variables.ts';
import { readAuthorities } from './network/certificate-authorities.ts';
import { readClientCertificate } from './network/client-certificate.ts';
import { resolveProxy } from './network/proxy-settings.ts';
import { type ParsedFile, readTargetFile } from './read-target-file.ts';
import { secretVariables } from './secret-variables.ts';
import { credentialProblems } from './validation/credential-problems.ts';
import { valueAt } from './validation/found-value.ts';
import { networkProblems } from './validation/network-problems.ts';
import { operationProblems } from './validation/operation-problems.ts';
import { organizationProblems } from './validation/organization-problems.ts';
import { placeholderProblems } from './validation/placeholder-problems.ts';
import { type Problem, withoutRedundant } from './validation/problem.ts';
import { schemaProblems } from './validation/schema-problems.ts';
import { readVariables, referenceProblems, type Variables } from './variable-sources.ts';

export interface TargetSources {
  /** Path of a target file. */
  file?: string | undefined;
  /** The option or variable that names the file: `--target` by default. */
  fileOption?: string | undefined;
  /** Overrides the file's baseUrl. */
  baseUrl?: string | undefined;
  /** Overrides the file's tls.ca; relative to the working directory. */
  ca?: string | undefined;
  /** Path of a file of NAME=value lines; the environment takes precedence over it. */
  envFile?: string | undefined;
  environment: EnvironmentVariables;
}

/**
 * The target that file, flags and environment describe together: a flag takes precedence over the file, the file over `CONFORMANCE_*`
 * variables. Throws a ConfigurationError with one line for each problem, in the order of the file.
 */
export function loadTarget(sources: TargetSources): Target {
  const variables = readVariables(sources.environment, sources.envFile);
  const read = sources.file === undefined ? emptyTargetFile() : readTargetFile(sources.file, sources.fileOption);
  if (sources.file !== undefined) assertTargetFile(read.value, sources.file, sources.fileOption);
  const content = mergeSources(read, sources, variables);
  const parsed = targetFile.safeParse(content);
  const network = parsed.success ? networkProblems(createTarget(parsed.data), read.value) : [];
  const problems = [
    ...findProblems(content, read.value, variables),
    ...network.map(({ path, text }) => ({ path, text })),
  ];
  const lines = [
    ...read.duplicateFields,
    ...problems.map(({ path, text }) => ({
      offset: read.offsetOf(path),
      line: problemLine(fieldSource(read, sources, path), text, variables),
    })),
  ];
  if (lines.length > 0 || !parsed.success) {
    lines.sort((one, other) => one.offset - other.offset);
    throw new ConfigurationError(...new Set(lines.map(({ line }) => line)));
  }
  const target = { ...createTarget(parsed.data), secretVariables: secretVariables(read.value) };
  return resolveProxy(resolveTlsFiles(target, sources, read), variables.merged);
}

/** A report or a baseline in place of the target file. Its fields need no line each. */
function assertTargetFile(value: Record<string, unknown>, file: string, option = '--target'): void {
  // The environment may name everything else.
  const names = Object.keys(value).filter((name) => name !== '$schema');
  const fields: ReadonlySet<string> = new Set(Object.keys(targetFile.shape));
  if (names.length === 0) return;
  if (names.some((name) => fields.has(name) || similarName(name, ['baseUrl', 'actors']) !== undefined)) return;
  throw new ConfigurationError(
    `${option}: ${file} is no target file: it has neither baseUrl nor actors; name another file ("conformance init" writes one)`,
  );
}

function findProblems(content: unknown, raw: unknown, variables: Variables): Problem[] {
  return withoutRedundant([
    ...referenceProblems(raw, variables),
    ...placeholderProblems(content),
    ...schemaProblems(content, raw),
    ...credentialProblems(content, raw),
    ...organizationProblems(content),
    ...operationProblems(content),
  ]);
}

/** The merged content of file, flags and environment, with references filled in. Throws a ConfigurationError without a target. */
function mergeSources(read: ParsedFile, { file, baseUrl: flag }: TargetSources, { merged }: Variables): unknown {
  const filled = fillReferences(read.value, merged) as Record<string, unknown>;
  const baseUrl = flag ?? filled.baseUrl ?? merged.CONFORMANCE_BASE_URL ?? filled.baseUrl;
  if (baseUrl === undefined && file === undefined) {
    throw new ConfigurationError(
      'no target: give a target file with --target, or give --base-url (or CONFORMANCE_BASE_URL) and set CONFORMANCE_SELLER_KEY and CONFORMANCE_SELLER_SECRET',
    );
  }
  const fromEnvironment = actorsFromEnvironment(merged);
  if (filled.actors === undefined && file === undefined && Object.keys(fromEnvironment).length === 0) {
    throw new ConfigurationError('actors: missing; set CONFORMANCE_SELLER_KEY and CONFORMANCE_SELLER_SECRET');
  }
  const { actors = Object.keys(fromEnvironment).length === 0 ? undefined : {} } = filled;
  const isMapping = actors !== null && typeof actors === 'object' && !Array.isArray(actors);
  return { ...filled, baseUrl, actors: isMapping ? { ...fromEnvironment, ...actors } : actors };
}

/** The line of the file, or the flag or variable that the field was read from. */
function fieldSource(
  read: ParsedFile,
  { file, baseUrl, environment }: TargetSources,
  path: readonly PropertyKey[],
): string {
  const [section, actor, part] = path.map(String);
  if (section === 'baseUrl' && baseUrl !== undefined) return '--base-url';
  if (
    section === 'baseUrl' &&
    valueAt(read.value, path) === undefined &&
    environment.CONFORMANCE_BASE_URL !== undefined
  ) {
    return 'CONFORMANCE_BASE_URL';
  }
  const variable = section === 'actors' ? actorVariable(actor, part) : undefined;
  const isFromFile = file !== undefined && valueAt(read.value, path.slice(0, 2)) !== undefined;
  if (variable !== undefined && !isFromFile) return variable;
  return read.locationOf(path);
}

/** A variable refers to no other one, and one that is empty is set. */
function problemLine(source: string, text: string, { merged }: Variables): string {
  if (!source.startsWith('CONFORMANCE_')) return `${source}: ${text}`;
  const found = merged[source] === '' ? text.replace(': missing;', ': found no value;') : text;
  return `${source}: ${found.replace('write ${NAME} for an environment variable, or ', 'write ')}`;
}

/** Resolves the paths of `tls` to absolute paths. Throws a ConfigurationError if a file is missing or has the wrong content. */
function resolveTlsFiles(target: Target, { ca, file }: TargetSources, read: ParsedFile): Target {
  if (target.tls === undefined && ca === undefined) return target;
  const tls = { ...target.tls };
  for (const name of ['ca', 'certificate', 'key'] as const) {
    const named = tls[name];
    if (named !== undefined) tls[name] = resolve(dirname(file ?? '.'), named);
  }
  if (ca !== undefined) tls.ca = resolve(ca);
  if (tls.ca !== undefined)
    readAuthorities(tls.ca, ca === undefined ? `${read.locationOf(['tls', 'ca'])}: tls.ca` : '--ca');
  readClientCertificate({ tls }, (field) => `${read.locationOf(field.split('.'))}: ${field}`);
  return { ...target, tls };
}

function emptyTargetFile(): ParsedFile {
  return { value: {}, locationOf: () => 'target', offsetOf: () => 0, duplicateFields: [] };
}

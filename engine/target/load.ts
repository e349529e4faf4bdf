import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ACTOR_NAMES, OPERATION_NAMES, type Target, targetFile } from '../../specs/target.ts';
import { ConfigurationFault } from '../configuration-fault.ts';
import { readAuthorities } from './authorities.ts';
import { actorsFromEnvironment, type Environment, fillReferences } from './environment.ts';
import { type ReadTarget, readTargetFile } from './read-file.ts';

export interface TargetSources {
  /** Path of a target file. */
  file?: string | undefined;
  /** Takes the place of the file's baseUrl. */
  baseUrl?: string | undefined;
  /** Takes the place of the file's ca; named from the working directory. */
  ca?: string | undefined;
  /** Path of a file of NAME=value lines; the real environment wins over it. */
  envFile?: string | undefined;
  environment: Environment;
}

/**
 * The target that file, flags and environment describe together: a flag wins over the file, the file over `CONFORMANCE_*`
 * variables. Throws a ConfigurationFault with one line for each problem.
 */
export function loadTarget(sources: TargetSources): Target {
  const environment = { ...readEnvFile(sources.envFile), ...sources.environment };
  const read = sources.file === undefined ? nothing() : readTargetFile(sources.file);
  const problems: string[] = [];
  const filled = fillReferences(read.value, environment, (path, name) => {
    problems.push(
      `${read.placeOf(path)}: ${path.join('.')}: the environment variable ${name} is not set; set it or name another`,
    );
  }) as Record<string, unknown>;
  if (problems.length > 0) throw new ConfigurationFault(...problems);

  const baseUrl = sources.baseUrl ?? filled.baseUrl ?? environment.CONFORMANCE_BASE_URL;
  if (baseUrl === undefined && sources.file === undefined) {
    throw new ConfigurationFault(
      'no target: name a file with --target, or give --base-url (or CONFORMANCE_BASE_URL) and CONFORMANCE_SELLER_KEY and CONFORMANCE_SELLER_SECRET',
    );
  }
  const fromEnvironment = actorsFromEnvironment(environment);
  const actors = filled.actors ?? {};
  if (filled.actors === undefined && Object.keys(fromEnvironment).length === 0) {
    throw new ConfigurationFault(
      `${sources.file ?? 'target'}: actors: found none; ${sources.file ? 'name actors.seller with key and secret, or ' : ''}set CONFORMANCE_SELLER_KEY and CONFORMANCE_SELLER_SECRET`,
    );
  }
  const together = {
    ...filled,
    baseUrl,
    actors:
      actors !== null && typeof actors === 'object' && !Array.isArray(actors)
        ? { ...fromEnvironment, ...actors }
        : actors,
  };
  const parsed = targetFile.safeParse(together);
  if (!parsed.success) {
    throw new ConfigurationFault(
      ...parsed.error.issues.map(
        (issue) => `${read.placeOf(issue.path)}: ${wording(issue.path, issue.message, together)}`,
      ),
    );
  }
  const faults = [...literalSecrets(read, parsed.data), ...wrongEnvironments(parsed.data)];
  if (faults.length > 0) throw new ConfigurationFault(...faults);
  return withAuthorities(parsed.data, sources, read);
}

/** With the path of `ca` as it is from everywhere. Throws a ConfigurationFault when it names no certificate. */
function withAuthorities(target: Target, { ca, file }: TargetSources, read: ReadTarget): Target {
  const named = ca ?? target.ca;
  if (named === undefined) return target;
  const path = ca === undefined ? resolve(dirname(file ?? '.'), named) : resolve(named);
  readAuthorities(path, ca === undefined ? `${read.placeOf(['ca'])}: ca` : '--ca');
  return { ...target, ca: path };
}

function nothing(): ReadTarget {
  return { value: {}, placeOf: () => 'target' };
}

function readEnvFile(file: string | undefined): Environment {
  if (file === undefined) return {};
  try {
    return parseEnv(readFileSync(file, 'utf8')) as Environment;
  } catch (error) {
    throw new ConfigurationFault(
      `--secrets: cannot read ${file} (${(error as NodeJS.ErrnoException).code}); name an existing file`,
    );
  }
}

function wording(path: readonly PropertyKey[], message: string, whole: unknown): string {
  const field = path.length === 0 ? 'the file' : path.map(String).join('.');
  const found = path.reduce<unknown>(
    (value, name) => (value as Record<PropertyKey, unknown> | undefined)?.[name],
    whole,
  );
  if (found === undefined && message.startsWith('Invalid input')) return `${field}: is missing`;
  const shown = found === undefined ? ' (found nothing)' : mayBeShown(path, found) ? ` (found ${inWords(found)})` : '';
  return `${field}: ${message}${shown}`;
}

function inWords(found: unknown): string {
  return (JSON.stringify(found) ?? String(found)).slice(0, 120);
}

/** A credential must not reach a screen or a CI log, not even a mistyped one, or one that stands in a wrong place. */
function mayBeShown([top]: readonly PropertyKey[], found: unknown): boolean {
  if (found !== null && typeof found === 'object') return false;
  return top !== 'actors' && !(top === 'baseUrl' && /[@?#]/.test(String(found)));
}

/** Whether a base URL points to this machine. */
export function isLoopback(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function literalSecrets(read: ReadTarget, target: Target): string[] {
  if (isLoopback(target.baseUrl)) return [];
  const raw = read.value.actors as Record<string, { secret?: unknown } | undefined> | undefined;
  return ACTOR_NAMES.filter(
    (name) => typeof raw?.[name]?.secret === 'string' && !/\$\{/.test(String(raw[name].secret)),
  ).map(
    (name) =>
      `${read.placeOf(['actors', name, 'secret'])}: actors.${name}.secret: a literal secret is accepted for loopback targets only; write \${SOME_NAME} and set that variable`,
  );
}

function wrongEnvironments(target: Target): string[] {
  const { actors } = target;
  const sandbox = ACTOR_NAMES.filter((name) => name !== 'production' && actors[name]?.key.startsWith('svc_prod_')).map(
    (name) =>
      `actors.${name}.key: begins with svc_prod_; the kit writes with it, so it must be a sandbox key (svc_sand_…)`,
  );
  const production = actors.production?.key.startsWith('svc_sand_')
    ? ['actors.production.key: begins with svc_sand_; name a production key (svc_prod_…) or leave the actor out']
    : [];
  return [...sandbox, ...production, ...elsewhere(target)];
}

/** Where something of the production actor stands in a part of the file that the kit writes with. */
function elsewhere({ actors, operations }: Target): string[] {
  const { production } = actors;
  if (!production) return [];
  const others = ACTOR_NAMES.filter((name) => name !== 'production').flatMap((name) =>
    (['key', 'secret'] as const)
      .filter((part) => actors[name]?.[part] === production[part])
      .map(
        (part) => `actors.${name}.${part}: is that of actors.production; the kit writes with it, so name a sandbox one`,
      ),
  );
  const bound = OPERATION_NAMES.filter((name) => {
    const text = JSON.stringify(operations[name]) ?? '';
    return [production.key, production.secret].some((value) => text.includes(JSON.stringify(value).slice(1, -1)));
  }).map((name) => `operations.${name}: holds a credential of actors.production; take it out`);
  return [...others, ...bound];
}

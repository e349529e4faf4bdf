import { dirname, join } from 'node:path';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import { ACTOR_NAMES } from '../../../specs/target-file/target.ts';
import { CREDENTIAL_PARTS, type GivenActors, type GivenValue } from '../given-values.ts';
import { conflictingVariables, readEnvFile, writeEnvFile } from './env-file.ts';
import { storageProblem } from './env-text.ts';
import { type GitTreatment, ignoreInGit } from './git-ignore.ts';

/** The variables to store in an env file; none if the user keeps those that are there. */
export interface StoragePlan {
  file: string;
  values: Readonly<Record<string, string>>;
}

/** What happened to the env file. */
export interface StoredSecrets extends StoragePlan {
  /** Whether others could read the file before. */
  isNarrowed: boolean;
  git: GitTreatment;
}

interface EnvFileOptions {
  /** The target file. */
  file: string;
  envFile?: string | undefined;
  secrets?: string | undefined;
}

/** The env file: the named one, else the file of the other secrets, because a command reads only one, else the usual one. */
export function envFilePath({ file, envFile, secrets }: EnvFileOptions): string {
  return envFile ?? secrets ?? join(dirname(file), '.env');
}

/**
 * Decides what to store: the secrets that were typed and, if the user names an env file, all others. `confirm` decides about a
 * variable with another value; without it, throws a ConfigurationError.
 */
export async function planStorage(
  given: GivenActors,
  options: EnvFileOptions,
  confirm: ((variable: string, file: string) => Promise<boolean>) | null,
): Promise<StoragePlan | null> {
  const file = envFilePath(options);
  const values = Object.fromEntries(
    credentials(given)
      .filter(({ source }) => source === 'terminal' || options.envFile !== undefined)
      .map(({ variable, value }) => [variable, value]),
  );
  if (Object.keys(values).length === 0) return null;
  for (const [variable, value] of Object.entries(values)) {
    const problem = storageProblem(value);
    if (problem !== undefined) throw new ConfigurationError(`${variable}: ${problem}`);
  }
  for (const variable of conflictingVariables(readEnvFile(file), values)) {
    if (confirm === null) {
      throw new ConfigurationError(
        `${variable}: is already in ${file} with another value; remove the line there, or name another file with --write-secrets`,
      );
    }
    if (!(await confirm(variable, file))) delete values[variable];
  }
  return { file, values };
}

/** Stores the secrets. Git ignores the file before it holds one. */
export function storeSecrets(plan: StoragePlan): StoredSecrets {
  const git = ignoreInGit(plan.file);
  return { ...plan, git, ...writeEnvFile(plan.file, plan.values) };
}

function credentials(given: GivenActors): GivenValue[] {
  return ACTOR_NAMES.flatMap((actor) => CREDENTIAL_PARTS.flatMap((part) => given[actor]?.[part] ?? []));
}

import { type EnvironmentVariables, VARIABLE_REFERENCE } from './environment-variables.ts';
import { readSecretsFile } from './secrets-file.ts';
import { PLACEHOLDERS } from './validation/placeholder-problems.ts';
import type { Problem } from './validation/problem.ts';

/** Where the references of a target file are looked up. */
export interface Variables {
  readonly environment: EnvironmentVariables;
  readonly secretsFile: string | undefined;
  /** Those of the secrets file; the environment wins over it. */
  readonly secrets: EnvironmentVariables;
  readonly merged: EnvironmentVariables;
}

/** The variables of environment and secrets file. Throws a ConfigurationError when that file cannot be read. */
export function readVariables(environment: EnvironmentVariables, secretsFile: string | undefined): Variables {
  const secrets = secretsFile === undefined ? {} : readSecretsFile(secretsFile);
  return { environment, secretsFile, secrets, merged: { ...secrets, ...environment } };
}

type FieldPath = readonly PropertyKey[];

/** What is wrong with the environment references in a target file's texts. */
export function referenceProblems(raw: unknown, variables: Variables, path: FieldPath = []): Problem[] {
  if (typeof raw === 'string') return textProblems(raw, variables, path);
  if (raw === null || typeof raw !== 'object') return [];
  return Object.entries(raw).flatMap(([name, item]) => referenceProblems(item, variables, [...path, name]));
}

function textProblems(text: string, variables: Variables, path: FieldPath): Problem[] {
  const field = path.join('.');
  const names = new Set([...text.matchAll(VARIABLE_REFERENCE)].map(([, name = '']) => name));
  const unset = [...names].flatMap((name) => {
    const isPlaceholder = path[0] === 'operations' && PLACEHOLDERS.some((each) => each === name);
    const missing = isPlaceholder ? misspeltPlaceholder(name, variables) : missingVariable(name, variables);
    return missing === null ? [] : [{ path, text: `${field}: ${missing}` }];
  });
  if (/\$\{[^{}]*\}/.test(text.replace(VARIABLE_REFERENCE, ''))) {
    const found = 'holds ${…} that is no reference';
    return [...unset, { path, text: `${field}: ${found}; write \${NAME} with a name of letters, digits and _ only` }];
  }
  return names.size > 0 ? unset : foreignNotationProblems(text, variables, path);
}

/** What is wrong with a placeholder that is written like a variable; null when a variable of that name is set. */
function misspeltPlaceholder(name: string, { merged }: Variables): string | null {
  return merged[name]
    ? null
    : `found \${${name}}, and no environment variable ${name} is set; write {${name}}, without $`;
}

function missingVariable(name: string, { environment, secretsFile, merged }: Variables): string | null {
  if (merged[name] === undefined) {
    return secretsFile === undefined
      ? `the environment variable ${name} is not set; set it or name another`
      : `${name} is set neither in the environment nor in ${secretsFile}; set it in one of them or name another`;
  }
  if (merged[name] !== '') return null;
  if (environment[name] === undefined) return `${name} is empty in ${secretsFile}; give it a value`;
  const wins = secretsFile === undefined ? '' : `, which wins over ${secretsFile}`;
  return `the environment variable ${name} is empty${wins}; give it a value${wins === '' ? '' : ' or unset it'}`;
}

/** How shells, CI systems and templates write a variable; only where it is the whole value. */
const FOREIGN_NOTATION =
  /^(?:\$([A-Za-z_]\w*)|\$\(([A-Za-z_]\w*)\)|%([A-Za-z_]\w*)%|\$?\{\{\s*(?:\w+\.)?([A-Za-z_]\w*)\s*\}\})$/;

function foreignNotationProblems(text: string, { merged }: Variables, path: FieldPath): Problem[] {
  const name = FOREIGN_NOTATION.exec(text)
    ?.slice(1)
    .find((group) => group !== undefined);
  if (name === undefined || path[0] === 'operations') return [];
  // A password may look like a variable: its letters are shown only where there is a variable of that name.
  const isSet = merged[name] !== undefined;
  if (!isSet && !/^[A-Z_][A-Z0-9_]*$/.test(name)) return [];
  const meant = isSet ? `\${${name}}` : '${NAME} with the name of the variable';
  return [{ path, text: `${path.join('.')}: found a variable in another notation; write ${meant}` }];
}

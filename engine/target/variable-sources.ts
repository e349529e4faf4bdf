import { type EnvironmentVariables, VARIABLE_REFERENCE } from './environment-variables.ts';
import { readSecretsFile } from './secrets-file.ts';
import { PLACEHOLDERS } from './validation/placeholder-problems.ts';
import type { Problem } from './validation/problem.ts';

/** The variables that the references of a target file refer to. */
export interface Variables {
  readonly environment: EnvironmentVariables;
  readonly secretsFile: string | undefined;
  /** Variables of the secrets file; the environment takes precedence over them. */
  readonly secrets: EnvironmentVariables;
  readonly merged: EnvironmentVariables;
}

/** The variables of environment and secrets file. Throws a ConfigurationError when that file cannot be read. */
export function readVariables(environment: EnvironmentVariables, secretsFile: string | undefined): Variables {
  const secrets = secretsFile === undefined ? {} : readSecretsFile(secretsFile);
  return { environment, secretsFile, secrets, merged: { ...secrets, ...environment } };
}

type FieldPath = readonly PropertyKey[];

/** The problems of the variable references in a target file. */
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
    const found = 'contains ${…} that is not a valid reference';
    return [...unset, { path, text: `${field}: ${found}; write \${NAME} with a name of letters, digits and _ only` }];
  }
  return names.size > 0 ? unset : foreignNotationProblems(text, variables, path);
}

/** The problem of a placeholder that is written like a variable; null if a variable of that name is set. */
function misspeltPlaceholder(name: string, { merged }: Variables): string | null {
  return merged[name]
    ? null
    : `found \${${name}}, but the environment variable ${name} is not set; for a placeholder write {${name}}, without $`;
}

function missingVariable(name: string, { environment, secretsFile, merged }: Variables): string | null {
  if (merged[name] === undefined) {
    return secretsFile === undefined
      ? `the environment variable ${name} is not set; set it, or use another variable`
      : `${name} is set neither in the environment nor in ${secretsFile}; set it in one of them, or use another variable`;
  }
  if (merged[name] !== '') return null;
  if (environment[name] === undefined) return `${name} is empty in ${secretsFile}; give it a value`;
  const wins = secretsFile === undefined ? '' : `, and it takes precedence over ${secretsFile}`;
  return `the environment variable ${name} is empty${wins}; give it a value${wins === '' ? '' : ' or unset it'}`;
}

/** The notations of shells, CI systems and templates for a variable, as the whole value. */
const FOREIGN_NOTATION =
  /^(?:\$([A-Za-z_]\w*)|\$\(([A-Za-z_]\w*)\)|%([A-Za-z_]\w*)%|\$?\{\{\s*(?:\w+\.)?([A-Za-z_]\w*)\s*\}\})$/;

function foreignNotationProblems(text: string, { merged }: Variables, path: FieldPath): Problem[] {
  const name = FOREIGN_NOTATION.exec(text)
    ?.slice(1)
    .find((group) => group !== undefined);
  if (name === undefined || path[0] === 'operations') return [];
  // A password may look like a variable, so its text is shown only if a variable of that name exists.
  const isSet = merged[name] !== undefined;
  if (!isSet && !/^[A-Z_][A-Z0-9_]*$/.test(name)) return [];
  const meant = isSet ? `\${${name}}` : '${NAME} with the name of the variable';
  return [{ path, text: `${path.join('.')}: found a variable reference in another notation; write ${meant}` }];
}

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The ways in which a function can end a check. */
type Outcome = 'breach' | 'notApplicable' | 'blocked';

/** The functions and classes that end a check, or create the error that ends it. */
const OUTCOME_OF: Readonly<Record<string, Outcome>> = {
  Breach: 'breach',
  breach: 'breach',
  NotApplicable: 'notApplicable',
  DisturbedByOthers: 'notApplicable',
  InsufficientFunds: 'notApplicable',
  InvoiceStateChanged: 'notApplicable',
  notApplicable: 'notApplicable',
  Blocked: 'blocked',
  blockedBy: 'blocked',
  blockedByRejection: 'blocked',
  missingPermission: 'blocked',
};

interface NamedFunction {
  /** Path and name. */
  place: string;
  path: string;
  name: string;
  isExported: boolean;
  /** The names that its body uses. */
  used: ReadonlySet<string>;
  /** How the body of the function ends a check. */
  direct: ReadonlySet<Outcome>;
}

function bodyOf(node: ts.Node): Pick<NamedFunction, 'used' | 'direct'> {
  const used = new Set<string>();
  const direct = new Set<Outcome>();
  const visit = (each: ts.Node): void => {
    if (ts.isTypeNode(each)) return;
    if (ts.isIdentifier(each)) used.add(each.text);
    if ((ts.isCallExpression(each) || ts.isNewExpression(each)) && ts.isIdentifier(each.expression)) {
      const outcome = OUTCOME_OF[each.expression.text];
      if (outcome) direct.add(outcome);
    }
    ts.forEachChild(each, visit);
  };
  visit(node);
  return { used, direct };
}

function functionsOf(path: string): NamedFunction[] {
  const source = ts.createSourceFile(path, readFileSync(`${ROOT}${path}`, 'utf8'), ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    const isExported = modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    const declared: readonly { name?: ts.Node | undefined; body?: ts.Node | undefined }[] = ts.isFunctionDeclaration(
      statement,
    )
      ? [statement]
      : ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.map(({ name, initializer }) => ({ name, body: initializer }))
        : [];
    return declared.flatMap(({ name: identifier, body }) => {
      if (!identifier || !body) return [];
      const name = identifier.getText(source);
      return [{ place: `${path} ${name}`, path, name, isExported, ...bodyOf(body) }];
    });
  });
}

const functions = ['helpers', 'suites'].flatMap((room) =>
  readdirSync(`${ROOT}${room}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => functionsOf(`${room}/${path}`)),
);
const byPlace = new Map(functions.map((each) => [each.place, each]));
// A room exports a name once.
const shared = new Map(functions.filter(({ isExported }) => isExported).map((each) => [each.name, each]));

/** All outcomes that a function reaches through the functions that it uses. */
function reachedBy(start: NamedFunction): Set<Outcome> {
  const reached = new Set<Outcome>();
  const seen = new Set<NamedFunction>();
  const queue = [start];
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const outcome of next.direct) reached.add(outcome);
    for (const name of next.used) {
      const used = byPlace.get(`${next.path} ${name}`) ?? shared.get(name);
      if (used) queue.push(used);
    }
  }
  return reached;
}

/**
 * For each verb: the outcome that the function must reach, and those that its own body must not have. The names of
 * called functions are checked separately.
 */
const RULES: readonly { verb: RegExp; reaches?: Outcome; never: readonly Outcome[] }[] = [
  { verb: /^expect[A-Z]/, reaches: 'breach', never: ['notApplicable', 'blocked'] },
  { verb: /^skip(If|Unless|For)[A-Z]/, reaches: 'notApplicable', never: ['breach', 'blocked'] },
  { verb: /^block(If|Unless)[A-Z]/, reaches: 'blocked', never: ['breach', 'notApplicable'] },
  { verb: /^(create|find|read|waitFor)[A-Z]/, never: ['breach'] },
];

describe.each(RULES)('a function with the verb $verb', ({ verb, reaches, never }) => {
  const named = functions.filter(({ name }) => verb.test(name));

  test('exists', () => {
    expect(named).not.toEqual([]);
  });

  test(`reaches ${reaches ?? 'any outcome or none'}`, () => {
    const others = named.filter((each) => reaches && !reachedBy(each).has(reaches));
    expect(others.map(({ place }) => place)).toEqual([]);
  });

  test(`does not end a check as ${never.join(' or ')} in its own body`, () => {
    const others = named.filter(({ direct }) => never.some((outcome) => direct.has(outcome)));
    expect(others.map(({ place }) => place)).toEqual([]);
  });
});

test('a verb that skips or blocks states its condition', () => {
  const others = functions.filter(({ name }) => /^(skip|block)(?!If|Unless|For)[A-Z]/.test(name));
  expect(others.map(({ place }) => place)).toEqual([]);
});

test('no reason names the judging check in free text', () => {
  const paths = [...new Set(functions.map(({ path }) => path))];
  const quoted = /^(?!\s*(\/\/|\*|\/\*)).*judged by/m;
  expect(paths.filter((path) => quoted.test(readFileSync(`${ROOT}${path}`, 'utf8')))).toEqual([]);
});

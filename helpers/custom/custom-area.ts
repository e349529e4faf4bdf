import type { CustomCheck } from '../../engine/run/custom-check.ts';
import { CUSTOM_NEEDS, type CustomNeed } from '../../engine/target/capabilities.ts';
import { checkCatalogue, requirements } from '../../specs/catalogue/catalogue.ts';
import { type CustomArea, customArea } from '../../specs/formats/custom-area.ts';
import { similarName } from '../../specs/nearest-name.ts';
import type { CheckContext } from '../context/check.ts';

/** One experiment with one question. Its id is the id of its requirement and its name, such as `PORTAL-01.tax-id`. */
export interface CustomCheckDefinition {
  /** Lower-case words that are joined by hyphens, such as `tax-id`. */
  readonly name: string;
  /** What the check expects, in at most 90 characters. */
  readonly title: string;
  /** What the target file must contain. Without it, the check is blocked. */
  readonly needs: readonly CustomNeed[];
  /** Sends requests and judges the responses. Throws a breach to fail the check. */
  readonly body: (ctx: CheckContext) => Promise<void>;
}

/** A rule of your own, and the checks that judge it. */
export interface CustomRequirementDefinition {
  /** Such as `PORTAL-01`. The contract must not use the part before the hyphen. */
  readonly id: string;
  readonly statement: string;
  /** Where the rule is written, such as `Portal guide, chapter 3`. */
  readonly place: string;
  readonly checks: readonly CustomCheckDefinition[];
}

/** The default export of a file with custom checks. */
export interface CustomAreaDefinition {
  /** Lower-case words that are joined by hyphens, such as `partner-portal`. */
  readonly area: string;
  readonly requirements: readonly CustomRequirementDefinition[];
}

/** Returns its argument. Gives an editor the types of a file with custom checks. */
export function defineCustomArea(definition: CustomAreaDefinition): CustomAreaDefinition {
  return definition;
}

/** A valid definition: its description for reports, and its checks. */
export interface ReadArea {
  readonly description: CustomArea;
  readonly checks: readonly CustomCheck<CheckContext>[];
}

const CHECK_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Reads the default exports of the files with custom checks. Returns the areas, or what is wrong: one line each, with the file and the field. */
export function readCustomAreas(definitions: readonly (readonly [file: string, value: unknown])[]): {
  areas: readonly ReadArea[];
  problems: readonly string[];
} {
  const problems: string[] = [];
  const areas = definitions.flatMap(([file, value]) => {
    const found = definitionProblems(value);
    problems.push(...found.map((problem) => `${file}: ${problem}`));
    return found.length > 0 ? [] : [readArea(value as CustomAreaDefinition)];
  });
  for (const [what, names] of [
    ['area', areas.map(({ description }) => description.area)],
    ['requirement', areas.flatMap(({ description }) => description.requirements.map(({ id }) => id))],
  ] as const) {
    for (const name of new Set(names.filter((each, at) => names.indexOf(each) !== at)))
      problems.push(`two custom areas define the ${what} ${name}; rename one of them`);
  }
  return { areas, problems };
}

function readArea({ area, requirements: own }: CustomAreaDefinition): ReadArea {
  return {
    description: {
      area,
      requirements: own.map(({ id, statement, place, checks }) => ({
        id,
        statement,
        place,
        checks: checks.map(({ name, title }) => ({ id: `${id}.${name}`, title })),
      })),
    },
    checks: own.flatMap(({ id, checks }) =>
      checks.map(({ name, title, needs, body }) => ({ id: `${id}.${name}`, title, needs, body })),
    ),
  };
}

function definitionProblems(value: unknown): string[] {
  if (!isObject(value)) return ['has no default export with custom checks; export default defineCustomArea({ … })'];
  const list = Array.isArray(value.requirements) ? value.requirements : [];
  const parsed = customArea.safeParse({ ...value, requirements: list.map(describedRequirement) });
  return [
    ...(Array.isArray(value.requirements) ? [] : ['requirements: must be a list']),
    ...(parsed.success || !Array.isArray(value.requirements)
      ? []
      : parsed.error.issues.map(({ path, message }) => `${fieldName(path)}: ${message}`)),
    ...areaProblems(value.area),
    ...list.flatMap((each, at) => (isObject(each) ? requirementProblems(each, `requirements[${at}]`) : [])),
  ];
}

/** The members that a report shows, with the id that a check gets. */
function describedRequirement(value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value.checks)) return value;
  const checks = value.checks.map((each: unknown) =>
    isObject(each) ? { id: `${String(value.id)}.${String(each.name)}`, title: each.title } : each,
  );
  return { ...value, checks };
}

function areaProblems(area: unknown): string[] {
  return requirements.some((each) => each.area === area)
    ? [`area: ${JSON.stringify(area)} is an area of the contract; choose another name`]
    : [];
}

function requirementProblems({ id, checks }: Record<string, unknown>, at: string): string[] {
  const prefix = typeof id === 'string' ? id.split('-')[0] : undefined;
  const isTaken = [...checkCatalogue.keys()].some((each) => each.split('-')[0] === prefix);
  const list = Array.isArray(checks) ? checks.filter(isObject) : [];
  const names = list.map(({ name }) => name);
  return [
    ...(isTaken ? [`${at}.id: the contract uses ${prefix}-…; choose another prefix`] : []),
    ...[...new Set(names.filter((name, place) => names.indexOf(name) !== place))].map(
      (name) => `${at}.checks: two checks have the name ${JSON.stringify(name)}`,
    ),
    ...list.flatMap((each, place) => checkProblems(each, `${at}.checks[${place}]`)),
  ];
}

function checkProblems({ name, needs, body }: Record<string, unknown>, at: string): string[] {
  const unknown = Array.isArray(needs) ? needs.filter((need) => !CUSTOM_NEEDS.includes(need as CustomNeed)) : [];
  return [
    ...(typeof name === 'string' && CHECK_NAME.test(name)
      ? []
      : [`${at}.name: must be lower-case words that are joined by hyphens, such as tax-id`]),
    ...(Array.isArray(needs) ? [] : [`${at}.needs: must be a list; write [] if the check needs nothing`]),
    ...unknown.map((need) => {
      const meant = similarName(String(need), CUSTOM_NEEDS);
      const advice = meant === undefined ? `the known needs are ${CUSTOM_NEEDS.join(', ')}` : `did you mean ${meant}?`;
      return `${at}.needs: ${JSON.stringify(need)} is unknown; ${advice}`;
    }),
    ...(typeof body === 'function' ? [] : [`${at}.body: must be a function`]),
  ];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${String(part)}`))
    .join('');
}

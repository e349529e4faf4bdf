import { describe, expect, it } from 'vitest';
import { readCustomAreas } from '../../../helpers/custom/custom-area.ts';

const check = { name: 'tax-id', title: 'An invoice contains a tax id', needs: ['read'], body: async () => {} };
const requirement = { id: 'PORTAL-01', statement: 'An invoice shows a tax id.', place: 'chapter 3', checks: [check] };
const area = { area: 'partner-portal', requirements: [requirement] };

function problemsOf(...definitions: readonly unknown[]) {
  return readCustomAreas(definitions.map((definition, at) => [`file-${at + 1}.ts`, definition])).problems;
}

describe('a file with custom checks', () => {
  it('gives each check the id of its requirement and its name', () => {
    const { areas, problems } = readCustomAreas([['portal.ts', area]]);
    expect(problems).toEqual([]);
    expect(areas.map(({ description }) => description)).toEqual([
      {
        area: 'partner-portal',
        requirements: [
          {
            id: 'PORTAL-01',
            statement: 'An invoice shows a tax id.',
            place: 'chapter 3',
            checks: [{ id: 'PORTAL-01.tax-id', title: 'An invoice contains a tax id' }],
          },
        ],
      },
    ]);
    expect(areas[0]?.checks.map(({ id, needs }) => ({ id, needs }))).toEqual([
      { id: 'PORTAL-01.tax-id', needs: ['read'] },
    ]);
  });

  const withRequirement = (changes: object) => ({ ...area, requirements: [{ ...requirement, ...changes }] });
  const withCheck = (changes: object) => withRequirement({ checks: [{ ...check, ...changes }] });

  it.each([
    ['no default export', undefined, 'has no default export'],
    ['a bad area', { ...area, area: 'Partner Portal' }, 'area: an area is lower-case words'],
    ['an area of the contract', { ...area, area: 'lifecycle' }, 'area: "lifecycle" is an area of the contract'],
    ['no requirements', { ...area, requirements: [] }, 'requirements: an area has at least one requirement'],
    ['requirements that are no list', { ...area, requirements: {} }, 'requirements: must be a list'],
    ['a bad id', withRequirement({ id: 'portal' }), 'requirements[0].id: an id looks like PORTAL-01'],
    ['an id of the contract', withRequirement({ id: 'LIFE-90' }), 'requirements[0].id: the contract uses LIFE-…'],
    ['no statement', withRequirement({ statement: ' ' }), 'requirements[0].statement: the statement must not be empty'],
    ['a statement of two lines', withRequirement({ statement: 'a\nb' }), 'the statement must be one line'],
    ['a long title', withCheck({ title: 'x'.repeat(91) }), 'requirements[0].checks[0].title: a title has at most 90'],
    ['a bad name', withCheck({ name: 'Tax Id' }), 'requirements[0].checks[0].name: must be lower-case words'],
    ['an unknown need', withCheck({ needs: ['reed'] }), 'needs: "reed" is unknown; did you mean read?'],
    ['no needs', withCheck({ needs: undefined }), 'requirements[0].checks[0].needs: must be a list; write []'],
    ['no body', withCheck({ body: 'later' }), 'requirements[0].checks[0].body: must be a function'],
    ['two checks of one name', withRequirement({ checks: [check, check] }), 'two checks have the name "tax-id"'],
  ])('with %s is one line that names the file and the field', (_, definition, expected) => {
    const [problem, ...others] = problemsOf(definition);
    expect(problem).toMatch(/^file-1\.ts: /);
    expect(problem).toContain(expected);
    expect(others).toEqual([]);
  });

  it('must not use the area or the requirement of another file', () => {
    expect(problemsOf(area, area)).toEqual([
      'two custom areas define the area partner-portal; rename one of them',
      'two custom areas define the requirement PORTAL-01; rename one of them',
    ]);
  });
});

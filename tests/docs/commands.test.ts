import { expect, test } from 'vitest';
import { userPages } from './markdown-pages.ts';

/** The one sentence about a clone, in README.md and CONTRIBUTING.md. */
const CLONE_SENTENCE = /^.*`npm run -s conformance -- …` instead.*$/gm;

const forUsers = userPages().filter(({ path }) => path !== 'CONTRIBUTING.md');

test.each(forUsers)('$path shows commands in the form of an installed package', ({ path, text }) => {
  const allowed = path === 'README.md' ? text.replace(CLONE_SENTENCE, '') : text;
  expect(allowed.match(/npm run (-s )?conformance.*/g) ?? []).toEqual([]);
});

test.each(['README.md', 'CONTRIBUTING.md'])('%s says once how to run the commands in a clone', (path) => {
  const page = userPages().find((each) => each.path === path);
  expect(page?.text.match(CLONE_SENTENCE)).toHaveLength(1);
});

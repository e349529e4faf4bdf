import type { Faker, LocaleDefinition } from '@faker-js/faker';
// The package's front door loads some seventy languages, which takes longer than all the suites together.
import { faker as english } from '@faker-js/faker/locale/en';

const Maker = english.constructor as new (options: { locale: LocaleDefinition }) => Faker;

/** A maker of realistic data that gives the same for the same seed. */
export function seededFaker(seed: number): Faker {
  const maker = new Maker({ locale: english.rawDefinitions });
  maker.seed(seed);
  return maker;
}

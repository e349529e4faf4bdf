import type { Faker } from '@faker-js/faker';
// The package's front door loads some seventy languages, which takes longer than all the suites together.
import { faker } from '@faker-js/faker/locale/en';

/** Names of things that are sold. */
export const productNames: readonly string[] = faker.definitions.commerce.product_name.product;

/** The maker of realistic data, made to give the same for the same seed. It is everybody's: ask again for each piece. */
export function seededFaker(seed: number): Faker {
  faker.seed(seed);
  return faker;
}

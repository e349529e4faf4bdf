import type { Faker } from '@faker-js/faker';
// The main entry point of the package loads about seventy languages, which takes longer than loading all suites.
import { faker } from '@faker-js/faker/locale/en';

export const productNames: readonly string[] = faker.definitions.commerce.product_name.product;

/**
 * The shared generator of realistic data, reset to this seed. Call this function again for each piece, because all
 * callers share the generator.
 */
export function seededFaker(seed: number): Faker {
  faker.seed(seed);
  return faker;
}

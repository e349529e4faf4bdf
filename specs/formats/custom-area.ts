import { z } from 'zod';

const line = (what: string) =>
  z
    .string()
    .trim()
    .min(1, `${what} must not be empty`)
    .regex(/^[^\r\n]*$/, `${what} must be one line`);

const customCheck = z.strictObject({
  id: z.string().describe('Id of the check, such as `PORTAL-01.tax-id`.'),
  title: line('the title')
    .max(90, 'a title has at most 90 characters')
    .describe('What the check expects, in one sentence.'),
});

export const customRequirement = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Z][A-Z0-9]{1,15}-\d{2}$/, 'an id looks like PORTAL-01')
    .describe('Id of the requirement, such as `PORTAL-01`.'),
  statement: line('the statement').describe('What the requirement says.'),
  place: line('the place').describe('Where the requirement is written, such as a chapter of a guide.'),
  checks: z.array(customCheck).min(1, 'a requirement has at least one check'),
});

/** An area with requirements that are not part of the contract. A team writes it for itself. */
export const customArea = z.strictObject({
  area: z
    .string()
    .regex(
      /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
      'an area is lower-case words that are joined by hyphens, such as partner-portal',
    )
    .describe('Name of the area, such as `partner-portal`.'),
  requirements: z.array(customRequirement).min(1, 'an area has at least one requirement'),
});
export type CustomArea = z.infer<typeof customArea>;

export function countCustomChecks(areas: readonly CustomArea[]): number {
  return areas.flatMap(({ requirements }) => requirements.flatMap(({ checks }) => checks)).length;
}

import { z } from 'zod';

const day = z.iso.date();

/** A breach that a desk accepts until a day. The verdict does not change. */
export const waiver = z.strictObject({
  requirement: z.string().min(1).describe('Id of the requirement, such as LIST-05.'),
  reason: z.string().min(1).describe('Why the desk accepts the breach.'),
  author: z.string().min(1).describe('Who decided.'),
  expires: day.describe('The last day on which the waiver holds, such as 2027-06-30.'),
});
export type Waiver = z.infer<typeof waiver>;

/** What a desk requires of a package: the content of a policy file. */
export const policy = z.strictObject({
  $schema: z.string().optional().describe('The location of the JSON Schema of this file, for editors.'),
  profile: z
    .enum(['core', 'full'])
    .default('full')
    .describe('The profile that the run must have judged; full includes core.'),
  exceptions: z
    .array(z.string().min(1))
    .default([])
    .describe('Exceptions of the verdict that the desk accepts: allowances and operations, such as reset or delete.'),
  warnings: z.enum(['accept', 'reject']).default('accept').describe('Whether the run may have warnings.'),
  kitVersions: z
    .array(z.string().min(1))
    .default([])
    .describe('Versions of the kit that the desk accepts. Empty: only the version that verifies.'),
  kitDigests: z
    .array(z.string().regex(/^[0-9a-f]{64}$/))
    .default([])
    .describe('Digests of the files of the kit that the desk accepts. Empty: any.'),
  keys: z
    .array(z.string().min(1))
    .default([])
    .describe('PEM files with public keys that may sign, relative to the folder of this file; in addition to --key.'),
  maxAgeDays: z.number().int().positive().optional().describe('The maximum number of days since the end of the run.'),
  maxAttempts: z.number().int().positive().optional().describe('The maximum number of attempts, with the last one.'),
  ticket: z.string().min(1).optional().describe('The ticket that the run must carry.'),
  tls: z
    .enum(['required', 'optional'])
    .default('optional')
    .describe('Whether the run must name the certificate of the server.'),
  waivers: z.array(waiver).default([]).describe('Breaches that the desk accepts.'),
});
export type Policy = z.infer<typeof policy>;

import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { policy } from '../../specs/certification/policy.ts';
import { verification } from '../../specs/certification/verification.ts';
import { baselineFile } from '../../specs/formats/baseline.ts';
import { journalRecord } from '../../specs/formats/journal.ts';
import { report } from '../../specs/formats/report.ts';
import { targetFile } from '../../specs/target-file/target.ts';

/** The text of each JSON Schema, by file name in specs/schemas/. */
export function generatedSchemas(): Record<string, string> {
  const text = (schema: z.ZodType, io: 'input' | 'output') =>
    `${JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), null, 2)}\n`;
  return {
    'target.schema.json': text(targetFile, 'input'),
    'baseline.schema.json': text(baselineFile, 'input'),
    'policy.schema.json': text(policy, 'input'),
    'verification.schema.json': text(verification, 'output'),
    'journal.schema.json': text(journalRecord, 'output'),
    'report.schema.json': text(report, 'output'),
  };
}

export function writeSchemas(): void {
  for (const [name, content] of Object.entries(generatedSchemas())) {
    writeFileSync(new URL(`../../specs/schemas/${name}`, import.meta.url), content);
  }
}

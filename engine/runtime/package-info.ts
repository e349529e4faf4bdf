import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../../specs/code-location.ts';

const manifest = z.object({ name: z.string(), version: z.string() });

/** Name and version of the kit. */
export const kit = manifest.strip().parse(JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')));

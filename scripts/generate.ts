import { writeFileSync } from 'node:fs';
import { writeIds } from './generate-ids.ts';
import { openapiTypes } from './generate-openapi.ts';

writeIds();
writeFileSync(new URL('../specs/generated/openapi.ts', import.meta.url), await openapiTypes());
// Imported only now, because these modules import the generated ids.
const { writeSchemas } = await import('./generate-schemas.ts');
writeSchemas();
const { writeOpenPointsPage } = await import('./generate-open-points.ts');
writeOpenPointsPage();
const { writeFigures } = await import('./generate-figures.ts');
writeFigures();
const { writeCoveragePage } = await import('./generate-coverage.ts');
writeCoveragePage();

import { writeFileSync } from 'node:fs';
import { writeIds } from './ids.ts';
import { openapiTypes } from './openapi.ts';

writeIds();
writeFileSync(new URL('../../specs/generated/openapi.ts', import.meta.url), await openapiTypes());
// Imported only now, because these modules import the generated ids.
const { writeCheckNeeds } = await import('./check-needs.ts');
writeCheckNeeds();
const { writeSchemas } = await import('./schemas.ts');
writeSchemas();
const { writeOpenPointsPage } = await import('./open-points.ts');
writeOpenPointsPage();
const { writeFigures } = await import('./figures.ts');
writeFigures();
const { writeCoveragePage } = await import('./coverage.ts');
writeCoveragePage();
const { writeReportFieldsPage } = await import('./report-fields.ts');
writeReportFieldsPage();
const { writeRetries } = await import('./retries.ts');
writeRetries();
const { writeTargetFields } = await import('./target-fields.ts');
writeTargetFields();
const { writeRequirementPages } = await import('./requirements/pages.ts');
writeRequirementPages();

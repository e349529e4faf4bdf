import type { RuntimeMessage } from 'allure-js-commons/sdk';
import { catalogueCheck } from '../../specs/catalogue/catalogue.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** Labels in the meta of a test, which only the Allure reporter reads. */
export function allureLabels(id: CheckId): { allureRuntimeMessages: RuntimeMessage[] } {
  const { requirement, level, title } = catalogueCheck(id);
  const labels = [
    { name: 'area', value: requirement.area },
    { name: 'requirement', value: requirement.id },
    { name: 'level', value: level },
    { name: 'epic', value: requirement.area },
    { name: 'feature', value: `${requirement.id} ${requirement.statement}` },
    { name: 'severity', value: level === 'required' ? 'critical' : 'minor' },
  ];
  const description = `${title}\n\n${requirement.place}: ${requirement.statement}`;
  return { allureRuntimeMessages: [{ type: 'metadata', data: { labels, description } }] };
}

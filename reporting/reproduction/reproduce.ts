import type { CheckRecord } from '../../specs/formats/journal.ts';
import type { CheckReport, RequirementReport } from '../../specs/formats/report.ts';
import type { FullExchange } from '../journal/evidence.ts';
import { chainOf, NoChain } from './chain.ts';
import type { RecordedChanges } from './recorded-changes.ts';
import { type RecordedRun, reproductionScript } from './script.ts';

export interface Reproduction extends NonNullable<CheckReport['reproduction']> {
  /** Ids of the exchanges that the script repeats, in their order. Empty without a script. */
  readonly steps: readonly string[];
}

export interface ReproductionContext {
  readonly header: RecordedRun;
  readonly changes: RecordedChanges;
  readonly requirements: ReadonlyMap<string, Pick<RequirementReport, 'id' | 'place' | 'statement' | 'derived'>>;
  findExchange(id: string): FullExchange | undefined;
}

/** The script that shows a failure again, or the reason why there is none. */
export function reproduce(
  { decisive, expectation }: Pick<CheckRecord, 'decisive' | 'expectation'>,
  check: Pick<CheckReport, 'id' | 'title' | 'expected' | 'requirement'>,
  { header, changes, requirements, findExchange }: ReproductionContext,
): Reproduction {
  const unavailable = (reason: string): Reproduction => ({ script: null, reason, steps: [] });
  if (expectation === null && check.requirement.startsWith('HOOK-'))
    return unavailable(
      'a script cannot receive deliveries; run the check again and compare with the log of deliveries of the server',
    );
  if (expectation === null) return unavailable('the expected result depends on other responses of the run');
  const [deciding, ...others] = decisive.flatMap((each) => findExchange(each) ?? []);
  const { sameAs, differentFrom } = expectation;
  const isOfBalance = deciding?.label.endsWith(': treasuryBalance') || expectation.code === 'TREAS007';
  // Two balances in one script need no recorded amount.
  if ((isOfBalance && differentFrom === undefined) || check.requirement.startsWith('TREAS-'))
    return unavailable('the result depends on the balance at the time of the run');
  const expectsAnyResponse = Object.keys(expectation).length === 0;
  if (deciding === undefined || (deciding.response === null && !expectsAnyResponse))
    return unavailable('the deciding request has no response');
  if (deciding.request.body?.includes('\0')) return unavailable('the body contains NUL characters');
  try {
    const compared = [sameAs, differentFrom?.original, differentFrom?.control];
    const needed = others.filter(
      (other) => compared.includes(other.id) || (other.request.method !== 'GET' && changes.isBefore(other, deciding)),
    );
    const texts = expectation.body === undefined ? [] : [expectation.body];
    const chain = chainOf({ deciding, others: needed, texts }, changes);
    const failure = { check, requirement: requirements.get(check.requirement), deciding, expectation, chain };
    return { script: reproductionScript(failure, header), reason: '', steps: chain.steps.map(({ id }) => id) };
  } catch (error) {
    if (!(error instanceof NoChain)) throw error;
    return unavailable(error.message);
  }
}

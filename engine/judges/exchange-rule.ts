import type { CheckId } from '../../specs/generated/ids.ts';
import type { ActorName } from '../../specs/target.ts';
import type { Answer } from '../model/messages.ts';
import type { Shown } from '../records/find-invoice-record.ts';

/** What a judge holds against an answer. */
export interface Finding {
  reason: string;
  expected: string;
  actual: string;
}

/** `null`: the sentence does not speak of this answer. `kept`: it does, and the answer keeps it. */
export type Ruling = Finding | 'kept' | null;

export type Rule = (answer: Answer) => Ruling;

/** A breach, and the answer that shows it. */
export interface Case {
  finding: Finding;
  exchange: string;
}

/** A rule of which later answers may tell that what looked like a breach was none. */
export interface PatientRule {
  see: Rule;
  atEnd: () => readonly Case[];
}

/** What a judge may know beside the answers. */
export interface JudgeKnowledge {
  organizationOf: (actor: ActorName) => string | undefined;
  /** The records of an answer that say anything else than what was said last of the invoices they name. */
  newsIn: (answer: Answer) => readonly Shown[];
  /** Secrets of the target file by the name of their actor. */
  secrets: ReadonlyMap<string, string>;
}

/** A statement that holds for all answers of a run. It sees each answer once, in the order of arrival. */
export interface Judge {
  id: CheckId;
  /** What it means when no answer of the run was of the kind that the sentence speaks of. */
  unmet: 'blocked' | 'not-applicable';
  /** The kind of answers that the sentence speaks of; it is asked about no others. Judges of one kind have the same function. */
  speaksOf: (answer: Answer) => boolean;
  start: (knowledge: JudgeKnowledge) => Rule | PatientRule;
}

/** A judge that needs no memory. */
export function judge(id: CheckId, speaksOf: Judge['speaksOf'], rule: Rule, unmet: Judge['unmet'] = 'blocked'): Judge {
  return { id, unmet, speaksOf, start: () => rule };
}

export function ruling(kept: boolean, finding: () => Finding): Ruling {
  return kept ? 'kept' : finding();
}

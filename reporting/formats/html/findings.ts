import type { CheckReport, Report } from '../../../specs/report.ts';
import type { BlockedGroup, ReportView } from '../../report/report-view.ts';
import { escapeToSingleLine, truncate } from '../../text/escape-control-characters.ts';
import { derivationText } from '../../text/requirement-text.ts';
import { formatDuration, pluralize, VERDICT_LABELS } from '../../text/wording.ts';
import { curlLine, exchangeList, exchangeView } from './exchange-view.ts';
import { type Markup, markup } from './markup.ts';

/** Further evidence that is shown in full; the list of other exchanges contains the rest. */
const MAX_FURTHER_EXCHANGES = 2;
/** A longer list of blocked checks is collapsed. */
const MAX_OPEN_ITEMS = 6;

/** Failures, errors of the kit, blocked checks and warnings, in this order. */
export function findings(report: Report, view: ReportView): Markup {
  const blocked = report.summary.checks.blocked;
  return markup`${cards('failed', 'Failures', view.failed, view)}
${cards('errors', 'Errors of the kit', view.errors, view)}
${
  blocked === 0
    ? null
    : markup`<section id="blocked" aria-labelledby="blocked-h" data-group>
  <h2 id="blocked-h">Blocked checks <span class="count">${pluralize(blocked, 'check')}</span></h2>
  <p class="lead">The checks of a group are blocked by one cause. Fix the cause, then run them again.</p>
  ${view.blocked.map((group) => blockedCard(group, view))}
</section>`
}
${cards('warnings', 'Warnings', view.warned, view)}`;
}

function cards(id: string, title: string, checks: readonly CheckReport[], view: ReportView): Markup | null {
  if (checks.length === 0) return null;
  return markup`<section id="${id}" aria-labelledby="${id}-h" data-group>
  <h2 id="${id}-h">${title} <span class="count">${pluralize(checks.length, 'check')}</span></h2>
  ${checks.map((check) => card(check, view))}
</section>`;
}

function card(check: CheckReport, view: ReportView): Markup {
  const requirement = view.requirementOf(check);
  const decisive = view.decisiveExchange(check);
  const further = view.furtherEvidence(check).slice(0, MAX_FURTHER_EXCHANGES);
  const shown = decisive === undefined ? further : [decisive, ...further];
  return markup`<article class="card ${check.verdict}" id="${check.id}" ${filterAttributes(check, view)}>
    <p class="tags">${chip(check.verdict)} <code>${check.id}</code> <span class="quiet">${check.level} · ${formatDuration(check.durationMs)}</span></p>
    <h3>${check.title}</h3>
    ${
      requirement === undefined
        ? null
        : markup`<blockquote><p>${requirement.statement}</p>${requirement.derived.map((each) => markup`<p class="quiet">Derived: ${derivationText(each)}</p>`)}<footer>${requirement.id} · ${requirement.place}</footer></blockquote>`
    }
    <dl class="contrast">${fact('expected', 'Expected', check.expected)}${fact('actual', 'Actual', check.actual)}</dl>
    ${check.reason === '' ? null : markup`<p class="reason">${check.reason}</p>`}
    ${decisive === undefined ? null : markup`<h4>Deciding exchange</h4>${exchangeView(decisive)}<h4>Reproduce</h4>${curlLine(decisive, view)}`}
    ${further.length === 0 ? null : markup`<h4>Further evidence</h4>${further.map(exchangeView)}`}
    ${exchangeList(check, view, shown)}
  </article>`;
}

function fact(kind: string, name: string, text: string): Markup | null {
  return text === '' ? null : markup`<div class="${kind}"><dt>${name}</dt><dd>${text}</dd></div>`;
}

function blockedCard({ blockedBy, reason, checks }: BlockedGroup, view: ReportView): Markup {
  const culprit = blockedBy === null ? undefined : view.findCheck(blockedBy);
  const cause =
    culprit === undefined
      ? causeMarkup(blockedBy)
      : markup`<a href="#${anchorOf(culprit)}"><code>${culprit.id}</code></a>`;
  return markup`<article class="card blocked" data-group>
    <p class="tags">${chip('blocked')} ${cause}</p>
    <h3>${reason}</h3>
    <details ${checks.length <= MAX_OPEN_ITEMS ? markup`open` : null}><summary>${pluralize(checks.length, 'check')}</summary>
    <ul class="plain">${checks.map(
      (check) =>
        markup`<li id="${check.id}" ${filterAttributes(check, view)}><code>${check.id}</code> ${check.title}${exchangeList(check, view, [])}</li>`,
    )}</ul></details>
  </article>`;
}

/** Checks that passed or are not applicable have no card, only a row among the requirements. */
function anchorOf({ id, verdict }: CheckReport): string {
  return verdict === 'pass' || verdict === 'not-applicable' ? `row-${id}` : id;
}

function causeMarkup(cause: string | null): Markup | null {
  return cause === null ? null : markup`<code>${cause}</code>`;
}

/** A verdict as a label with text, so that it does not depend on colour. */
export function chip(verdict: keyof typeof VERDICT_LABELS): Markup {
  return markup`<span class="chip ${verdict}">${VERDICT_LABELS[verdict]}</span>`;
}

/** Data attributes that the filter reads. */
export function filterAttributes(check: CheckReport, view: ReportView): Markup {
  const requirement = view.requirementOf(check);
  const words = [
    check.id,
    check.title,
    requirement?.area,
    requirement?.statement,
    check.reason,
    check.actual,
    check.blockedBy,
  ];
  const text = truncate(escapeToSingleLine(words.filter(Boolean).join(' ')), 1000).toLowerCase();
  return markup`data-item data-verdict="${check.verdict}" data-level="${check.level}" data-text="${text}"`;
}

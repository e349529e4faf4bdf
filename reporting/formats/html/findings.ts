import type { Cause, CheckReport, Report } from '../../../specs/report.ts';
import { causesTitle, causeText, confidenceText, countFailures } from '../../causes/cause-text.ts';
import type { BlockedGroup, ReportView } from '../../report/report-view.ts';
import { escapeToSingleLine, truncate } from '../../text/escape-control-characters.ts';
import { derivationText } from '../../text/requirement-text.ts';
import { formatDuration, pluralize, rerunCommand, VERDICT_LABELS } from '../../text/wording.ts';
import { commandLine, exchangeList, exchangeView } from './exchange-view.ts';
import { type Markup, markup, withCode } from './markup.ts';

/** Further evidence that is shown in full; the list of other exchanges contains the rest. */
const MAX_FURTHER_EXCHANGES = 2;
/** A longer list of blocked checks is collapsed. */
const MAX_OPEN_ITEMS = 6;

/** Failures and warnings under their causes, then errors of the kit and blocked checks. */
export function findings(report: Report, view: ReportView): Markup {
  const blocked = report.summary.checks.blocked;
  return markup`${failures(report, view)}
${cards('errors', 'Errors of the kit', view.errors, view)}
${
  blocked === 0
    ? null
    : markup`<section id="blocked" aria-labelledby="blocked-h" data-group>
  <h2 id="blocked-h">Blocked checks <span class="count">${pluralize(blocked, 'check')}</span></h2>
  <p class="lead">The checks of a group are blocked by one cause. Fix the cause, then run them again.</p>
  ${view.blocked.map((group) => blockedCard(group, view))}
</section>`
}`;
}

function failures(report: Report, view: ReportView): Markup | null {
  const count = countFailures(report);
  if (count === 0) return null;
  const rest = report.unexplained.flatMap((id) => view.findCheck(id) ?? []);
  return markup`<section id="failures" aria-labelledby="failures-h" data-group>
  <h2 id="failures-h">${causesTitle(report.causes)} <span class="count">${pluralize(count, 'failure')}</span></h2>
  ${report.causes.map((cause) => causeGroup(cause, count, view))}
  ${
    rest.length === 0
      ? null
      : markup`<div class="cause" data-group><h3>${report.causes.length === 0 ? 'Failures' : 'Other failures'}</h3>
  ${rest.map((check, index) => card(check, view, index === 0))}</div>`
  }
</section>`;
}

function causeGroup(cause: Cause, failures: number, view: ReportView): Markup {
  const checks = cause.explains.flatMap((id) => view.findCheck(id) ?? []);
  return markup`<div class="cause" data-group>
  <h3>${withCode(causeText(cause))}</h3>
  <p class="lead">${confidenceText(cause, failures)} Start with <a href="#failure-${cause.startWith}"><code>${cause.startWith}</code></a>.</p>
  ${checks.map((check, index) => card(check, view, index === 0))}
  </div>`;
}

function cards(id: string, title: string, checks: readonly CheckReport[], view: ReportView): Markup | null {
  if (checks.length === 0) return null;
  return markup`<section id="${id}" aria-labelledby="${id}-h" data-group>
  <h2 id="${id}-h">${title} <span class="count">${pluralize(checks.length, 'check')}</span></h2>
  ${checks.map((check, index) => card(check, view, index === 0))}
</section>`;
}

/** A check with its evidence, folded unless it is the first of its group. */
function card(check: CheckReport, view: ReportView, isOpen: boolean): Markup {
  const requirement = view.requirementOf(check);
  const decisive = view.decisiveExchange(check);
  const further = view.furtherEvidence(check).slice(0, MAX_FURTHER_EXCHANGES);
  const shown = decisive === undefined ? further : [decisive, ...further];
  return markup`<details class="card ${check.verdict}" id="${anchorOf(check)}" ${filterAttributes(check, view)} ${isOpen ? markup`open` : null}>
    <summary><span class="tags">${chip(check.verdict)} <code>${check.id}</code> <span class="quiet">${check.level} · ${formatDuration(check.durationMs)}</span></span>
    <span class="title">${withCode(check.title)}</span></summary>
    ${
      requirement === undefined
        ? null
        : markup`<blockquote><p>${withCode(requirement.statement)}</p>${requirement.derived.map((each) => markup`<p class="quiet">Derived: ${withCode(derivationText(each))}</p>`)}<footer>${requirement.id} · ${requirement.place}</footer></blockquote>`
    }
    <dl class="contrast">${fact('expected', 'Expected', check.expected)}${fact('actual', 'Actual', check.actual)}</dl>
    ${check.reason === '' ? null : markup`<p class="reason">${check.reason}</p>`}
    ${decisive === undefined ? null : markup`<p class="part">Deciding exchange</p>${exchangeView(decisive)}`}
    ${reproductionView(check, view, isOpen)}
    ${!isOpen || further.length === 0 ? null : markup`<p class="part">Further evidence</p>${further.map(exchangeView)}`}
    ${isOpen ? exchangeList(check, view, shown) : null}
  </details>`;
}

/** The script that shows the failure again, inline for the first failure of a cause; without one, the reason and the deciding request. */
function reproductionView(check: CheckReport, view: ReportView, isInline: boolean): Markup | null {
  const file = view.scriptFile(check);
  const command = rerunCommand([check.id]);
  if (file !== null && check.reproduction?.script != null) {
    const line = markup`<code>sh ${file}</code>`;
    return markup`<p class="part">Reproduce</p>
    ${isInline ? markup`<details class="script"><summary>${line}</summary>${commandLine(check.reproduction.script)}</details>` : markup`<p>${line}</p>`}
    <p class="quiet">The whole check: <code>${command}</code></p>`;
  }
  const decisive = view.decisiveExchange(check);
  if (decisive === undefined) return null;
  return markup`<p class="part">Deciding request</p>
    ${check.reproduction === null ? null : markup`<p class="quiet">This failure has no script, because ${check.reproduction.reason}. To repeat the check, run <code>${command}</code>.</p>`}
    ${commandLine(view.curlCommand(decisive))}`;
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
        markup`<li id="${anchorOf(check)}" ${filterAttributes(check, view)}><code>${check.id}</code> ${withCode(check.title)}</li>`,
    )}</ul></details>
  </article>`;
}

/**
 * The place with the most about a check. The row among the requirements has the id of the check itself, so that a link stays valid when
 * the failure is corrected.
 */
export function anchorOf({ id, verdict }: Pick<CheckReport, 'id' | 'verdict'>): string {
  return verdict === 'pass' || verdict === 'not-applicable' ? id : `failure-${id}`;
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

import type { CheckReport } from '../../../specs/report.ts';
import type { FullExchange } from '../../journal/evidence.ts';
import type { ReportView } from '../../report/report-view.ts';
import { escapeControlCharacters } from '../../text/escape-control-characters.ts';
import { formatDuration, pluralize } from '../../text/wording.ts';
import { bodyText } from './body-text.ts';
import { type Markup, markup } from './markup.ts';

/** evidence.jsonl contains the rest. */
const MAX_LISTED_EXCHANGES = 50;

/** A complete exchange: the request on the left, the response on the right. */
export function exchangeView(exchange: FullExchange): Markup {
  const { label, attempt, durationMs, request, response, failure } = exchange;
  const retry = attempt === 1 ? '' : `, attempt ${attempt}`;
  const answer =
    response === null
      ? markup`<p class="line"><b class="status s0">no response</b> <span class="quiet">after ${formatDuration(durationMs)}</span></p>
          <pre>${failure === null ? '' : `${failure.kind}: ${failure.message}`}</pre>`
      : markup`<p class="line"><b class="status s${statusClass(response.status)}">${response.status}</b>
            <span class="quiet">in ${formatDuration(durationMs)}, ${pluralize(response.bytes, 'byte')}${response.truncated ? ', truncated' : ''}</span></p>
          ${headerList(response.headers)}
          ${response.body === '' ? markup`<p class="quiet">no body</p>` : bodyBlock(response.body, 'Response body')}`;
  return markup`<div class="exchange">
        <p class="caption">${label}${retry} <span class="quiet">${exchange.id}</span></p>
        <div class="panes">
          <div class="pane"><p class="line"><b>${request.method}</b> ${urlMarkup(request.url)}</p>
          ${headerList(request.headers)}
          ${request.body === null || request.body === '' ? null : bodyBlock(request.body, 'Request body')}</div>
          <div class="pane">${answer}</div>
        </div>
      </div>`;
}

/** A command or a script, with a copy button. */
export function commandLine(command: string): Markup {
  return markup`<div class="curl"><pre><code>${command}</code></pre><button type="button" class="copy" hidden>Copy</button></div>`;
}

/** All other exchanges of a check, one line each. Complete exchanges can be expanded. */
export function exchangeList(check: CheckReport, view: ReportView, shown: readonly FullExchange[]): Markup | null {
  const others = check.exchanges.filter((summary) => !shown.some((exchange) => exchange.id === summary.id));
  if (others.length === 0) return null;
  const rest = others.length - MAX_LISTED_EXCHANGES;
  const title = shown.length === 0 ? pluralize(others.length, 'exchange') : pluralize(others.length, 'other exchange');
  return markup`<details class="trail"><summary>${title}</summary><ol>${others
    .slice(0, MAX_LISTED_EXCHANGES)
    .map((summary) => exchangeRow(summary, view))}</ol>${
    rest > 0 ? markup`<p class="quiet">and ${rest} more in evidence.jsonl</p>` : null
  }</details>`;
}

function exchangeRow(summary: CheckReport['exchanges'][number], view: ReportView): Markup {
  const exchange = view.findExchange(summary.id);
  const line = markup`<b class="status s${statusClass(summary.status)}">${summary.status ?? 'no response'}</b> <b>${summary.method}</b>
    ${urlMarkup(summary.url)} <span class="quiet">${summary.label}</span>`;
  return exchange === undefined
    ? markup`<li>${line}</li>`
    : markup`<li><details><summary>${line}</summary>${exchangeView(exchange)}</details></li>`;
}

/** The origin is the same in every exchange and gets less emphasis. */
function urlMarkup(url: string): Markup {
  const [origin = ''] = /^https?:\/\/[^/?#]*/.exec(url) ?? [];
  return markup`<span class="url"><span class="origin">${origin}</span>${url.slice(origin.length)}</span>`;
}

function headerList(headers: FullExchange['request']['headers']): Markup | null {
  if (headers.length === 0) return null;
  return markup`<pre class="headers">${headers.map(([name, value]) => markup`<span class="k">${name}</span>: ${value}\n`)}</pre>`;
}

/** A long body scrolls in its own box, which must be focusable by keyboard. */
function bodyBlock(body: string, name: string): Markup {
  const text = bodyText(body);
  const long = escapeControlCharacters(text.text).split('\n').length > 30 || text.text.length > 4000;
  return long
    ? markup`<pre class="body long" tabindex="0" role="region" aria-label="${name}">${text}</pre>`
    : markup`<pre class="body">${text}</pre>`;
}

function statusClass(status: number | null): number {
  return status === null ? 0 : Math.floor(status / 100);
}

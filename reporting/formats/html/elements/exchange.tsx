/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { FullExchange } from '../../../journal/evidence.ts';
import { formatDuration, pluralize } from '../../../text/wording.ts';
import { Body } from './body.tsx';

interface ExchangeProps {
  readonly exchange: FullExchange;
  /** The places of the response to mark: `status`, or jq paths. */
  readonly marked?: ReadonlySet<string>;
}

/** A complete exchange: the request on the left, the response on the right. */
export function Exchange({ exchange, marked = new Set() }: ExchangeProps) {
  const { label, attempt, request } = exchange;
  return (
    <div class="exchange">
      <p class="caption">
        {label}
        {attempt === 1 ? '' : `, attempt ${attempt}`} <span class="quiet">{exchange.id}</span>
      </p>
      <div class="panes">
        <div class="pane">
          <p class="line">
            <b>{request.method}</b> <Url url={request.url} />
          </p>
          <Headers headers={request.headers} />
          {request.body === null || request.body === '' ? null : <Body text={request.body} label="Request body" />}
        </div>
        <div class="pane">
          <Response exchange={exchange} marked={marked} />
        </div>
      </div>
    </div>
  );
}

function Response({ exchange: { response, failure, durationMs }, marked }: Required<ExchangeProps>) {
  if (response === null)
    return (
      <>
        <p class="line">
          <b class="status s0">no response</b> <span class="quiet">after {formatDuration(durationMs)}</span>
        </p>
        <pre>{failure === null ? '' : `${failure.kind}: ${failure.message}`}</pre>
      </>
    );
  const size = `${pluralize(response.bytes, 'byte')}${response.truncated ? ', truncated' : ''}`;
  const status = <Status status={response.status} />;
  return (
    <>
      <p class="line">
        {marked.has('status') ? <mark>{status}</mark> : status}{' '}
        <span class="quiet">
          in {formatDuration(durationMs)}, {size}
        </span>
      </p>
      <Headers headers={response.headers} />
      {response.body === '' ? (
        <p class="quiet">no body</p>
      ) : (
        <Body text={response.body} label="Response body" marked={marked} />
      )}
    </>
  );
}

/** A status with the colour of its class. */
export function Status({ status }: { status: number | null }) {
  const kind = status === null ? 0 : Math.floor(status / 100);
  return <b class={`status s${kind}`}>{status ?? 'no response'}</b>;
}

/** The origin is the same in every exchange and gets less emphasis. */
function Url({ url }: { url: string }) {
  const path = pathOf(url);
  return (
    <span class="url">
      <span class="origin">{url.slice(0, url.length - path.length)}</span>
      {path}
    </span>
  );
}

/** The URL without its origin. */
export function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/, '');
}

function Headers({ headers }: { headers: FullExchange['request']['headers'] }) {
  if (headers.length === 0) return null;
  return (
    <pre class="headers">
      {headers.map(([name, value], at) => (
        <span key={`${at}`}>
          <span class="k">{name}</span>: {value}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}

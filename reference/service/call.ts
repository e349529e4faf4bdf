import type { BackgroundTasks } from './background.ts';
import type { Rules } from './rules.ts';
import type { ApiKey, Environment, Scope, ServiceResponse, Store, World } from './store.ts';

export type Body = Record<string, unknown>;

/** A received request before any rule has judged it. */
export interface IncomingRequest {
  method: string;
  path: string;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: Headers;
  /** The raw body; empty when there is none. */
  text: string;
}

/** What every rule may look at and change: the service itself. */
export interface Service {
  rules: Rules;
  store: Store;
  background: BackgroundTasks;
}

/** A request that was let in: who calls, in which environment, with which body. */
export interface Call extends Service {
  request: IncomingRequest;
  route: Route;
  key: ApiKey;
  organizationId: string;
  environment: Environment;
  world: World;
  body: Body;
}

/** One operation of the interface: where it is reached, what a key needs for it, what it does. */
export interface Route {
  /** Stable name; it is part of the replay key. */
  name: string;
  method: string;
  /** A path pattern of hono. */
  path: string;
  scope: Scope;
  perform: (call: Call) => ServiceResponse | Promise<ServiceResponse>;
}

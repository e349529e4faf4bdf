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

/** The part of the service that every rule may read and change. */
export interface Service {
  rules: Rules;
  store: Store;
  background: BackgroundTasks;
}

/** An authenticated request: its caller, environment and body. */
export interface Call extends Service {
  request: IncomingRequest;
  route: Route;
  key: ApiKey;
  organizationId: string;
  environment: Environment;
  world: World;
  body: Body;
}

/** An operation of the interface: its route, the permission that it requires, and its function. */
export interface Route {
  /** A stable name, which is part of the replay key. */
  name: string;
  method: string;
  /** A path pattern of hono. */
  path: string;
  scope: Scope;
  perform: (call: Call) => ServiceResponse | Promise<ServiceResponse>;
}

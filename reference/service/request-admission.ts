import type { Call, IncomingRequest, Route, Service } from './call.ts';

/** Judges the defects of a request in this order: credentials, environment, permission, body. */
export function admitRequest(service: Service, route: Route, request: IncomingRequest): Call {
  const { rules, store } = service;
  const key = rules.authenticate(service, request);
  rules.throttle(service, key, request);
  const environment = rules.resolveEnvironment(service, key, request);
  const { organizationId } = key;
  const call: Call = {
    ...service,
    request,
    route,
    key,
    organizationId,
    environment,
    world: store.worlds[environment],
    body: {},
  };
  rules.authorize(call);
  call.body = rules.parseBody(service, request);
  return call;
}

/**
 * The parts of the HTTP library that are used. Its front door loads all the others, too, which takes twice as long as these, in each thread;
 * package.json names the one version that these places were seen in.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}

// Adds TLS to the service with the given base URL and prints the new base URL.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';

const pem = (name) => readFileSync(new URL(`../certificates/${name}.pem`, import.meta.url));
const server = createServer({ key: pem('server-key'), cert: pem('good') }, (incoming, outgoing) => {
  const { method, headers } = incoming;
  const passed = request(`${process.argv[2]}${incoming.url}`, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(passed);
});
server.listen(0, '127.0.0.1', () => console.log(`https://127.0.0.1:${server.address().port}`));

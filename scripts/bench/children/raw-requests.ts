import { Agent, type Dispatcher, request } from 'undici';
import { readWholeExchanges } from '../journal.ts';

// Repeats the requests of a run with only undici and JSON.parse. Arguments: the folder of the run, the base URL, the number of
// concurrent requests. Prints the CPU time in milliseconds.
const [folder = '', baseUrl = '', concurrency = '1'] = process.argv.slice(2);
const exchanges = await readWholeExchanges(folder);
const requests = exchanges.map(({ request: { method, url, headers, body } }) => {
  const { pathname, search } = new URL(url);
  return {
    url: `${baseUrl}${pathname}${search}`,
    method: method as Dispatcher.HttpMethod,
    headers: headers.flat(),
    body,
  };
});
const dispatcher = new Agent({ connections: Number(concurrency) });

const cpuBefore = process.cpuUsage();
let next = 0;
async function worker(): Promise<void> {
  for (let one = requests[next++]; one; one = requests[next++]) {
    const { url, method, headers, body } = one;
    const response = await request(url, { dispatcher, method, headers, body });
    const text = await response.body.text();
    if (text !== '' && String(response.headers['content-type']).includes('json')) JSON.parse(text);
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, worker));
const { user, system } = process.cpuUsage(cpuBefore);
console.log(JSON.stringify({ cpuMs: (user + system) / 1000, exchanges: requests.length }));
process.exit();

import { Agent, type Dispatcher, request } from 'undici';
import { journalOf } from '../journal.ts';

// Sends the requests of a run again, with undici and JSON.parse alone. Arguments: the folder of the run, where to, how many
// at once. Prints the milliseconds of CPU time.
const [folder = '', baseUrl = '', width = '1'] = process.argv.slice(2);
const { exchanges } = await journalOf(folder);
const asked = exchanges.map(({ request: { method, url, headers, body } }) => {
  const { pathname, search } = new URL(url);
  return {
    url: `${baseUrl}${pathname}${search}`,
    method: method as Dispatcher.HttpMethod,
    headers: headers.flat(),
    body,
  };
});
const dispatcher = new Agent({ connections: Number(width) });

const before = process.cpuUsage();
let next = 0;
async function worker(): Promise<void> {
  for (let one = asked[next++]; one; one = asked[next++]) {
    const { url, method, headers, body } = one;
    const answer = await request(url, { dispatcher, method, headers, body });
    const text = await answer.body.text();
    if (text !== '') JSON.parse(text);
  }
}
await Promise.all(Array.from({ length: Number(width) }, worker));
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ cpuMs: (user + system) / 1000, exchanges: asked.length }));
process.exit();

const EXCHANGE = '{"kind":"exchange",';
const HEADERS = ',"headers":';
const RESPONSE = ',"response":';
const FAILURE = ',"failure":';

/**
 * A line of a journal that this kit has written, without the headers and bodies of its exchange: they are nine tenths of it, and parsing them
 * takes as long. In a text of JSON each quotation mark is escaped, so what is looked for can only be the names of members.
 */
export function outlineOf(line: Buffer): string {
  if (line.indexOf(EXCHANGE) !== 0) return line.toString();
  const request = line.indexOf(HEADERS);
  const response = line.indexOf(RESPONSE, request);
  const failure = line.lastIndexOf(FAILURE);
  // Half a line, behind which nothing comes.
  if (request < 0 || response < 0 || failure < response) return line.toString();
  const answer = line.indexOf(HEADERS, response);
  const came = answer < 0 ? line.toString('utf8', response, failure) : `${line.toString('utf8', response, answer)}}`;
  return `${line.toString('utf8', 0, request)}}${came}${line.toString('utf8', failure)}`;
}

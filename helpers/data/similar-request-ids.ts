/** A createRequestId, and others of which each differs from it in one way that a server may overlook. */
export interface SimilarRequestIds {
  requestId: string;
  alike: readonly string[];
}

/** A server may refuse any that are longer than it keeps: as long as a UUID, and longer than most columns. */
const ID_LENGTHS = [60, 36];

/** The longest ones first; the shortest do not differ in the last of many characters. */
export function similarRequestIds(requestId: string): SimilarRequestIds[] {
  const [own, otherCase, fewerDashes] = [`${requestId}-a-bc`, `${requestId}-A-BC`, `${requestId}-abc`];
  const long = ID_LENGTHS.map((length) => {
    const ending = (text: string, last: string) => text.padEnd(length - 1, '-') + last;
    return { requestId: ending(own, '1'), alike: [ending(otherCase, '1'), ending(own, '2'), ending(fewerDashes, '1')] };
  });
  return [...long, { requestId: own, alike: [otherCase, fewerDashes] }];
}

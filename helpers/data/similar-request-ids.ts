/** A requestId, and others that each differ from it in one way that a server may overlook. */
export interface SimilarRequestIds {
  requestId: string;
  alike: readonly string[];
}

/** A server may reject an id that is too long: 36 is the length of a UUID, and 60 exceeds most columns. */
const ID_LENGTHS = [60, 36];

/** The longest ids come first. The shortest ones have no variant that differs only near the end. */
export function similarRequestIds(requestId: string): SimilarRequestIds[] {
  const [own, otherCase, fewerDashes] = [`${requestId}-a-bc`, `${requestId}-A-BC`, `${requestId}-abc`];
  const long = ID_LENGTHS.map((length) => {
    const ending = (text: string, last: string) => text.padEnd(length - 1, '-') + last;
    return { requestId: ending(own, '1'), alike: [ending(otherCase, '1'), ending(own, '2'), ending(fewerDashes, '1')] };
  });
  return [...long, { requestId: own, alike: [otherCase, fewerDashes] }];
}

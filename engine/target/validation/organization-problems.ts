import { textAt } from './found-value.ts';
import type { Problem } from './problem.ts';

const idOf = (actor: string): readonly string[] => ['actors', actor, 'organizationId'];
const counterparty = (name: string): readonly string[] => ['counterparties', name];

/** Pairs of organizations that are different ones by what they are for, and what to write in the first. */
const DIFFERENT: readonly (readonly [field: readonly string[], other: readonly string[], advice: string])[] = [
  [idOf('buyer'), idOf('seller'), 'write the id of the organization that actors.buyer.key belongs to'],
  [idOf('outsider'), idOf('seller'), 'write the id of a third organization, or leave actors.outsider out'],
  [idOf('outsider'), idOf('buyer'), 'write the id of a third organization, or leave actors.outsider out'],
  [counterparty('unconnected'), idOf('seller'), 'write the id of an organization without a connection to the seller'],
  [counterparty('unconnected'), idOf('buyer'), 'write the id of an organization without a connection to the seller'],
  [counterparty('suspended'), idOf('seller'), 'write the id of an organization whose connection is not active'],
  [counterparty('suspended'), idOf('buyer'), 'write the id of an organization whose connection is not active'],
  [
    counterparty('suspended'),
    counterparty('unconnected'),
    'write the id of an organization with a connection that is not active, or leave it out',
  ],
];

/** Actors whose keys belong to the seller's organization by definition. */
const SELLERS = ['readOnly', 'production'];

/** What the organizations of a target file say against each other, as far as they are given. */
export function organizationProblems(content: unknown): Problem[] {
  const same = DIFFERENT.filter(([one, other]) => isSame(textAt(content, one), textAt(content, other))).map(
    ([path, other, advice]) => ({ path, text: `${path.join('.')}: is the same as ${other.join('.')}; ${advice}` }),
  );
  const seller = textAt(content, idOf('seller'));
  const foreign = SELLERS.map(idOf)
    .filter((path) => {
      const own = textAt(content, path);
      return own !== undefined && seller !== undefined && !isSame(own, seller);
    })
    .map((path) => {
      const text = `${path.join('.')}: differs from actors.seller.organizationId; write that id, or a key of the seller's organization`;
      return { path, text };
    });
  return [...same, ...foreign];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID is the same in either case of letters; of another id nothing is known. */
function isSame(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return UUID.test(one) && UUID.test(other) ? one.toLowerCase() === other.toLowerCase() : one === other;
}

import { z } from 'zod';

/** A text that is sent as a header, such as a key. */
export const credential = z
  .string()
  .min(1, 'must not be empty')
  .regex(
    /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/,
    'must be printable ASCII without leading or trailing spaces, because it is sent as a header',
  );

const organizationId = z.string().regex(/^\S(.*\S)?$/, 'must not be empty or have leading or trailing spaces');

/** `variables` is the beginning of the environment variables in the examples. */
function optionalActor(variables: string, description: string) {
  return z
    .strictObject({
      key: credential.meta({
        description: 'The key, sent as `X-API-Key`. Write a reference to an environment variable.',
        examples: [`\${${variables}_KEY}`],
      }),
      secret: credential.meta({
        description: 'The secret of the key, sent as `X-API-Secret`. Write a reference to an environment variable.',
        examples: [`\${${variables}_SECRET}`],
      }),
      organizationId: organizationId.optional().meta({
        description:
          'Id of the organization of the key, in quotes. Without it, the kit takes the id from existing invoices; if no invoice shows it, the checks that need the id are blocked.',
        examples: [`\${${variables}_ORGANIZATION}`],
      }),
    })
    .optional()
    .describe(description);
}

export const actors = z
  .strictObject({
    seller: optionalActor(
      'SELLER',
      'Sandbox key of an organization that creates invoices. Without it, the checks that need a seller are blocked.',
    ),
    buyer: optionalActor(
      'BUYER',
      'Sandbox key of an organization that has an active connection with the seller. Without it, the checks that need a buyer are blocked.',
    ),
    outsider: optionalActor(
      'OUTSIDER',
      'Sandbox key of a third organization. Without it, the checks of isolation between organizations are blocked.',
    ),
    readOnly: optionalActor(
      'READ_ONLY',
      "Key of the seller's organization that may read but not change anything. With its `organizationId`, the kit compares its balance with the seller's. Without it, the checks of permissions are blocked.",
    ),
    revoked: optionalActor(
      'REVOKED',
      'A key of this service that was accepted once and then revoked; the kit cannot tell it from a key that never existed. Without it, the checks of revoked keys are blocked.',
    ),
    production: optionalActor(
      'PRODUCTION',
      "Production key of the seller's organization. Without it, the checks of isolation between environments are blocked. The kit only reads with it, unless `allow.productionWrites` is true.",
    ),
  })
  .refine(
    (given) => given.seller ?? given.buyer,
    'contains neither seller nor buyer; write one of them: { key: ${SELLER_KEY}, secret: ${SELLER_SECRET} }',
  )
  .meta({
    description:
      'The keys that the kit uses, by actor. `seller` or `buyer` is required. The checks that need a missing actor are blocked.',
    examples: [{ seller: { key: '${SELLER_KEY}', secret: '${SELLER_SECRET}' } }],
  });

export const counterparties = z
  .strictObject({
    unconnected: organizationId.optional().meta({
      description:
        'Id of an organization without a connection to the seller. Without it, the checks of CONN003 are blocked.',
      examples: ['${UNCONNECTED_ORGANIZATION}'],
    }),
    suspended: organizationId.optional().meta({
      description:
        'Id of an organization whose connection to the seller is not active. Without it, the checks of CONN010 are blocked.',
      examples: ['${SUSPENDED_ORGANIZATION}'],
    }),
  })
  .default({})
  .meta({
    description:
      'Organizations that the seller cannot send invoices to. The kit needs their ids only and has no keys for them.',
    examples: [{ unconnected: '${UNCONNECTED_ORGANIZATION}', suspended: '${SUSPENDED_ORGANIZATION}' }],
  });

/** A response other than success. A rule throws it, and `renderError` renders it. */
export class RejectionError extends Error {
  readonly status: number;
  readonly code: string;
  /** For 400: what is invalid about the request. */
  readonly detail: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, error: string, detail?: string, headers: Record<string, string> = {}) {
    super(error);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.headers = headers;
  }
}

export type UnauthorizedReason = 'missing' | 'unknown-key' | 'wrong-secret' | 'revoked' | 'expired';

/** A failed authentication. `unauthorizedBody` gets the reason, but returns the same body for every reason. */
export class UnauthorizedError extends RejectionError {
  readonly reason: UnauthorizedReason;

  constructor(reason: UnauthorizedReason) {
    super(401, '', 'Unauthorized');
    this.reason = reason;
  }
}

/**
 * The rejections of the reference service. REQ, AUTHZ, FLOW, HOOK and SRV are codes of its own, which the contract does
 * not show.
 */
export const rejections = {
  invalidRequest: (detail: string) => new RejectionError(400, 'REQ001', 'The request is invalid', detail),
  unreadableBody: (detail: string) => new RejectionError(400, 'REQ002', 'The request body cannot be read', detail),
  noSuchRoute: () => new RejectionError(404, 'REQ003', 'No such operation'),
  invalidInvoice: (detail: string) => new RejectionError(400, 'INV002', 'The invoice data is invalid', detail),
  invoiceNotFound: () => new RejectionError(404, 'INV001', 'The invoice was not found'),
  numberTaken: () => new RejectionError(409, 'INV003', 'The invoice number was given out a moment before'),
  actionNotAllowed: () =>
    new RejectionError(412, 'INV004', 'The action is not allowed in the current status of the invoice'),
  actionConflict: () => new RejectionError(409, 'FLOW001', 'The action conflicts with the final status of the invoice'),
  subscriptionNotFound: () => new RejectionError(404, 'HOOK001', 'The webhook subscription was not found'),
  connectionNotFound: () => new RejectionError(404, 'CONN003', 'The connection was not found'),
  connectionNotActive: () => new RejectionError(412, 'CONN010', 'The connection is not active'),
  notEnoughFunds: () => new RejectionError(412, 'TREAS007', 'Not enough funds to complete the payment'),
  lacksPermission: () => new RejectionError(403, 'AUTHZ001', 'The key lacks permission for this operation'),
  wrongParty: () => new RejectionError(403, 'AUTHZ002', 'This operation belongs to the other party of the invoice'),
  unknownEnvironment: () =>
    new RejectionError(
      400,
      'GW_UNKNOWN_ENVIRONMENT',
      'Unknown environment',
      'X-Environment must be PRODUCTION or SANDBOX',
    ),
  environmentMismatch: () =>
    new RejectionError(403, 'GW_ENVIRONMENT_KEY_MISMATCH', 'The key belongs to the other environment'),
  environmentUnavailable: () =>
    new RejectionError(503, 'GW_ENVIRONMENT_UNAVAILABLE', 'The environment is not available'),
  internal: () => new RejectionError(500, 'SRV001', 'Internal error'),
};

// Generated from specs/contract/openapi.yaml by `npm run generate`.
export interface paths {
    "/api/v1/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices
         * @description The caller sees its own organization's invoices, page by page.
         */
        get: operations["listInvoices"];
        put?: never;
        /**
         * Create invoice
         * @description Creates an invoice for a buyer. An active connection between the two organizations is required.
         *
         *     A repeated `requestId` returns the original response with no new invoice.
         *
         *     | code | Status | Condition |
         *     |---|---|---|
         *     | INV002 | 400 | A required field is missing or the amount is invalid. |
         *     | CONN003 | 404 | The connection is unknown or inaccessible. |
         *     | INV003 | 409 | The invoice number already exists for this connection. |
         *     | CONN010 | 412 | The connection is not in the expected status. |
         */
        post: operations["createInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create webhook subscription
         * @description Not idempotent; a retry may create a duplicate.
         */
        post: operations["createWebhookSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/api-keys/sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset sandbox
         * @description Clears sandbox API keys, sandbox logs, sandbox invoices and sandbox bookings. No payload is shown. Whether a
         *     production key may call it is not shown.
         */
        post: operations["resetSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @enum {string} */
        Environment: "SANDBOX" | "PRODUCTION";
        /** @enum {string} */
        InvoiceStatus: "DRAFT" | "SUBMITTED" | "APPROVED" | "DISPUTED" | "SETTLED" | "CANCELLED";
        /** @description Further fields are not shown and may be present. */
        Invoice: {
            /** @description Invoice identifier. */
            id: string;
            /** @description Assigned by the platform and unique per connection. Never accepted on creation. */
            invoiceNumber: string;
            status: components["schemas"]["InvoiceStatus"];
            /**
             * @description Money is carried as a string.
             * @example 1250.00
             */
            amount: string;
            currency: string;
            buyerOrganizationId: string;
            sellerOrganizationId: string;
            /** Format: date */
            dueDate: string;
            /**
             * Format: date-time
             * @description ISO 8601, in UTC.
             */
            createdAt: string;
            /** @description Whether it is returned is not shown. */
            description?: string;
        };
        InvoicePage: {
            items: components["schemas"]["Invoice"][];
            /** @description Total number of records. */
            total: number;
            /** @description Number of pages for the given limit. */
            totalPages: number;
            /** @description Zero-based page index that was served. */
            page: number;
            /** @description Page size that was applied. */
            limit: number;
        };
        CreateInvoice: {
            /**
             * Format: uuid
             * @description An organization id, not a connection id.
             */
            sellerId: string;
            /**
             * Format: uuid
             * @description An organization id, not a connection id.
             */
            buyerId: string;
            /**
             * Format: decimal
             * @description Two fraction digits in the forms shown.
             * @example 1250.00
             */
            amount: string;
            /** Format: date */
            dueDate: string;
            /** @description Currency code. The default is not shown. */
            currency?: string;
            /** @description Free text. */
            description?: string;
            /** @description Idempotency key. */
            requestId?: string;
        };
        /** @description Which of the fields are required is not shown. */
        CreateWebhookSubscription: {
            /**
             * Format: uri
             * @description Receiver address of the caller.
             */
            url?: string;
            /** @description The complete list of kinds is not shown. */
            eventTypes?: string[];
            /** @description Secret chosen by the caller. */
            signingSecret?: string;
        };
        Error: {
            /** @description Human-readable, may change, must not be parsed. */
            error: string;
            /** @description Stable module code, for example INV001. */
            code: string;
        };
        /** @description A 400 also tells, in `message`, what is invalid. */
        ValidationError: {
            error: string;
            code: string;
            /** @description Describes the validation failure. */
            message: string;
        };
        /** @description One and the same body for every authentication failure; it carries no `code`. */
        UnauthorizedError: {
            /** @description Fixed text for unauthorized. */
            error: string;
            /** @description Fixed text for an invalid key or secret. */
            message: string;
            code?: never;
        };
    };
    responses: {
        /**
         * @description Invalid body or query, or undeclared body field. Codes shown: INV002 (generic invoice validation error),
         *     GW_UNKNOWN_ENVIRONMENT (X-Environment is neither PRODUCTION nor SANDBOX).
         */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description Key or secret invalid, expired, revoked or missing. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
        /**
         * @description Key lacks permission. Code shown: GW_ENVIRONMENT_KEY_MISMATCH (X-Environment names the environment other than the
         *     key's).
         */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Resource does not exist or belongs to another organization. Codes shown: INV001 (invoice), CONN003 (connection). */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Action cannot be done in the current state. Code shown: INV003 (invoice number already exists for this connection). */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description State-machine or business rule not met. Codes shown: INV004 (action not allowed in the current invoice status),
         *     CONN010 (connection not in the expected status), TREAS007 (not enough funds to complete the payment).
         */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Rate limited. Retry after the time given in the header. */
        RateLimited: {
            headers: {
                /** @description When to retry. Its unit is not shown. */
                "X-RateLimit-Reset": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description Internal error (500), a downstream service is unavailable (502), temporarily unavailable (503; code shown:
         *     GW_ENVIRONMENT_UNAVAILABLE, no deployed instances for the environment), or gateway timeout (504).
         */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Meant for dashboard sessions. With an API key it is accepted only when it names that key's own environment:
         *     another value yields 400 GW_UNKNOWN_ENVIRONMENT, the other environment 403 GW_ENVIRONMENT_KEY_MISMATCH.
         */
        Environment: components["schemas"]["Environment"];
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listInvoices: {
        parameters: {
            query?: {
                /** @description Zero-based page index. */
                page?: number;
                /** @description Page size. How a value above the maximum is treated is not shown. */
                limit?: number;
                /** @description A field name of the record. */
                sortBy?: string;
                /** @description `desc` is the form shown; `asc` is not shown. */
                sortOrder?: string;
            };
            header?: {
                /**
                 * @description Meant for dashboard sessions. With an API key it is accepted only when it names that key's own environment:
                 *     another value yields 400 GW_UNKNOWN_ENVIRONMENT, the other environment 403 GW_ENVIRONMENT_KEY_MISMATCH.
                 */
                "X-Environment"?: components["parameters"]["Environment"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unavailable"];
            502: components["responses"]["Unavailable"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["Unavailable"];
            /** @description A page of invoices. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicePage"];
                };
            };
        };
    };
    createInvoice: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Meant for dashboard sessions. With an API key it is accepted only when it names that key's own environment:
                 *     another value yields 400 GW_UNKNOWN_ENVIRONMENT, the other environment 403 GW_ENVIRONMENT_KEY_MISMATCH.
                 */
                "X-Environment"?: components["parameters"]["Environment"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvoice"];
            };
        };
        responses: {
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unavailable"];
            502: components["responses"]["Unavailable"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["Unavailable"];
            /**
             * @description The response carries the created invoice, including the platform-assigned `invoiceNumber`. The status code and
             *     the shape beyond the invoice record are not shown.
             */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    createWebhookSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Meant for dashboard sessions. With an API key it is accepted only when it names that key's own environment:
                 *     another value yields 400 GW_UNKNOWN_ENVIRONMENT, the other environment 403 GW_ENVIRONMENT_KEY_MISMATCH.
                 */
                "X-Environment"?: components["parameters"]["Environment"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookSubscription"];
            };
        };
        responses: {
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unavailable"];
            502: components["responses"]["Unavailable"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["Unavailable"];
            /** @description The subscription was created. Body and status code are not shown. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Meant for dashboard sessions. With an API key it is accepted only when it names that key's own environment:
                 *     another value yields 400 GW_UNKNOWN_ENVIRONMENT, the other environment 403 GW_ENVIRONMENT_KEY_MISMATCH.
                 */
                "X-Environment"?: components["parameters"]["Environment"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Unavailable"];
            502: components["responses"]["Unavailable"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["Unavailable"];
            /** @description The sandbox was cleared. Body and status code are not shown. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

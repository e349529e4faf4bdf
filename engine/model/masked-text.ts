declare const maskedBrand: unique symbol;

/** A text in which the redactor has replaced every secret. Only such a text may be cut: a part of a secret is no longer found. */
export type MaskedText = string & { readonly [maskedBrand]: true };

declare const maskedBrand: unique symbol;

/** A text in which the redactor has replaced every secret. Only a masked text may be cut, because a part of a secret is not found. */
export type MaskedText = string & { readonly [maskedBrand]: true };

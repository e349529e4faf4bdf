/** A proxy as the connections need it. */
export interface HttpProxy {
  origin: string;
  /** What names it, for messages: `proxy`, or `proxy (HTTPS_PROXY)`. */
  field: string;
  /** Value of Proxy-Authorization; absent without a user. */
  authorization?: string;
}

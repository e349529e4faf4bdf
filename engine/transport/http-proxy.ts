/** A proxy, as connections use it. */
export interface HttpProxy {
  origin: string;
  /** Its name in messages: `proxy`, or `proxy (HTTPS_PROXY)`. */
  field: string;
  /** Value of Proxy-Authorization; undefined without a user. */
  authorization?: string;
}

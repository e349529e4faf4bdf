declare module 'har-schema' {
  /** The JSON Schemas of HAR 1.2, by name. */
  const schemas: Record<string, object>;
  export default schemas;
}

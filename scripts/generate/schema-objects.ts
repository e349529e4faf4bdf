/** The parts of a JSON Schema that Zod writes for the schemas of the kit. */
export interface SchemaNode {
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: string | number | boolean | null;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly SchemaNode[];
  readonly items?: SchemaNode | false;
  readonly prefixItems?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly propertyNames?: SchemaNode;
  readonly additionalProperties?: SchemaNode | false;
  readonly $ref?: string;
}

export interface SchemaField {
  readonly name: string;
  /** Its place in the document, such as `checks[].reproduction`. */
  readonly path: string;
  readonly isOptional: boolean;
  readonly schema: SchemaNode;
}

export interface SchemaObject {
  /** Its place in the document, such as `checks[]`; empty for the document itself. */
  readonly path: string;
  readonly fields: readonly SchemaField[];
}

/** The objects with named fields in a schema: each object before those inside it, in the order of the fields. */
export function objectsOf(schema: SchemaNode, path = ''): SchemaObject[] {
  const { properties, required = [], anyOf = [], items, additionalProperties } = schema;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => ({
    name,
    path: path === '' ? name : `${path}.${name}`,
    isOptional: !required.includes(name),
    schema: field,
  }));
  return [
    ...(properties ? [{ path, fields }] : []),
    ...fields.flatMap((field) => objectsOf(field.schema, field.path)),
    ...anyOf.flatMap((choice) => objectsOf(choice, path)),
    ...(items ? objectsOf(items, `${path}[]`) : []),
    ...(additionalProperties ? objectsOf(additionalProperties, `${path}.*`) : []),
  ];
}

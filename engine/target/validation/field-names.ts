import { z } from 'zod';
import { targetFile } from '../../../specs/target.ts';
import { nearest, similar } from '../nearest-name.ts';

type Path = readonly PropertyKey[];

/** The path of every field that a target file may have. */
const FIELDS: readonly (readonly string[])[] = fieldsOf(targetFile, []);

function fieldsOf(schema: unknown, path: readonly string[]): string[][] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return fieldsOf(schema.unwrap(), path);
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsOf(option, path));
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const own = [...path, name];
    return [own, ...fieldsOf(field, own)];
  });
}

/** A path as people write it: `actors.seller.key`. */
export function fieldName(path: Path): string {
  return path.map(String).join('.');
}

/** `actors.<actor>.key` for the key of whichever actor. */
function anyOf(path: Path): string {
  const [section, , ...rest] = path.map(String);
  if (rest.length === 0 || (section !== 'actors' && section !== 'operations')) return fieldName(path);
  return [section, section === 'actors' ? '<actor>' : '<name>', ...rest].join('.');
}

/** What to write in place of a field that does not exist there. */
export function adviceForUnknown(path: Path): string {
  const parent = path.slice(0, -1);
  const name = String(path.at(-1));
  const beside = FIELDS.filter((field) => isAt(field, parent)).map((field) => field.at(-1) ?? '');
  const close = similar(name, beside);
  if (close !== undefined) return `did you mean ${fieldName([...parent, close])}?`;
  const all = placesOf(name);
  const near = all.filter((place) => parent.length > 0 && place.startsWith(`${String(parent[0])}.`));
  const elsewhere = near.length > 0 ? near : all;
  if (elsewhere.length > 0) return `it belongs elsewhere: write ${elsewhere.join(' or ')}`;
  const alike = nearest(name, beside);
  if (alike !== undefined) return `did you mean ${fieldName([...parent, alike])}?`;
  const far = similar(name, [...new Set(FIELDS.map((field) => field.at(-1) ?? ''))]);
  if (far !== undefined) return `did you mean ${placesOf(far).join(' or ')}?`;
  const where = parent.length === 0 ? 'a target file' : fieldName(parent);
  return `remove it, or write one of the fields of ${where}: ${beside.join(', ')}`;
}

/** Where fields of a name stand, in words. */
function placesOf(name: string): string[] {
  const places = new Set(FIELDS.filter((field) => field.at(-1) === name).map(anyOf));
  return [...places].map((place) => (place === name ? `${name} at the top of the file` : place));
}

function isAt(field: readonly string[], parent: Path): boolean {
  return field.length === parent.length + 1 && parent.every((name, at) => field[at] === name);
}

export const knownFields: readonly string[] = [...new Set(FIELDS.map(fieldName))];

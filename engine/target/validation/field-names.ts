import { z } from 'zod';
import { nearestName, similarName } from '../../../specs/nearest-name.ts';
import { targetFile } from '../../../specs/target-file/target.ts';

type FieldPath = readonly PropertyKey[];

/** The path of every field that a target file may have. */
const FIELD_PATHS: readonly (readonly string[])[] = fieldPathsOf(targetFile, []);

function fieldPathsOf(schema: unknown, path: readonly string[]): string[][] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return fieldPathsOf(schema.unwrap(), path);
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldPathsOf(option, path));
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const own = [...path, name];
    return [own, ...fieldPathsOf(field, own)];
  });
}

/** A path as people write it: `actors.seller.key`. */
export function fieldName(path: FieldPath): string {
  return path.map(String).join('.');
}

/** `actors.<actor>.key` for the key of any actor. */
function fieldPattern(path: FieldPath): string {
  const [section, , ...rest] = path.map(String);
  if (rest.length === 0 || (section !== 'actors' && section !== 'operations')) return fieldName(path);
  return [section, section === 'actors' ? '<actor>' : '<name>', ...rest].join('.');
}

/** The advice for an unknown field. */
export function unknownFieldAdvice(path: FieldPath): string {
  const parent = path.slice(0, -1);
  const name = String(path.at(-1));
  const beside = FIELD_PATHS.filter((field) => isChildOf(field, parent)).map((field) => field.at(-1) ?? '');
  const close = similarName(name, beside);
  if (close !== undefined) return `did you mean ${fieldName([...parent, close])}?`;
  const all = fieldLocations(name);
  const near = all.filter((place) => parent.length > 0 && place.startsWith(`${String(parent[0])}.`));
  const elsewhere = near.length > 0 ? near : all;
  if (elsewhere.length > 0) return `this field belongs elsewhere: write ${elsewhere.join(' or ')}`;
  const alike = nearestName(name, beside);
  if (alike !== undefined) return `did you mean ${fieldName([...parent, alike])}?`;
  const far = similarName(name, [...new Set(FIELD_PATHS.map((field) => field.at(-1) ?? ''))]);
  if (far !== undefined) return `did you mean ${fieldLocations(far).join(' or ')}?`;
  const where = parent.length === 0 ? 'a target file' : fieldName(parent);
  return `remove it, or write one of the fields of ${where}: ${beside.join(', ')}`;
}

/** The places where a field of this name may appear, for a message. */
function fieldLocations(name: string): string[] {
  const places = new Set(FIELD_PATHS.filter((field) => field.at(-1) === name).map(fieldPattern));
  return [...places].map((place) => (place === name ? `${name} at the top of the file` : place));
}

function isChildOf(field: readonly string[], parent: FieldPath): boolean {
  return field.length === parent.length + 1 && parent.every((name, at) => field[at] === name);
}

export const knownFields: readonly string[] = [...new Set(FIELD_PATHS.map(fieldName))];

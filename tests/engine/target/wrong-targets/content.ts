export const SECRET = 'hush-this-is-a-secret';
export const BASE = 'baseUrl: http://127.0.0.1:8080';
export const SELLER = `  seller: { key: svc_sand_seller, secret: ${SECRET} }`;
export const GOOD = `${BASE}\nactors:\n${SELLER}\n`;

/** Variables that the files refer to. */
export const environment = { EMPTY: '', GIVEN: 'svc_sand_given', PASSWORD: SECRET };

export const actor = (rest: string) => `${BASE}\nactors:\n  seller: ${rest}\n`;
export const operation = (name: string, rest: string) => `${GOOD}operations:\n  ${name}: ${rest}\n`;
export const more = (line: string) => `${GOOD}${line}\n`;
export const withUrl = (url: string) => GOOD.replace('http://127.0.0.1:8080', url);

export type Row = readonly [content: string | Buffer, ...lines: string[]];

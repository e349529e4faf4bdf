/** The folder of a host below which the site is served, from the variable SITE_BASE. */
export function siteBase(text = '/'): string {
  if (/^\/([^/]+\/)*$/.test(text)) return text;
  throw new Error(`SITE_BASE is "${text}". Write a path that begins and ends with a slash, such as /kit/.`);
}

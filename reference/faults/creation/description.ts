import { overrideRules } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Store } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { creationFault, rewriteBody, rewriteBodyField } from '../support/creation.ts';
import { changeRenderedInvoice } from '../support/records.ts';

export const creationDescriptionFaults: readonly Fault[] = [
  creationFault(
    'drops-falsy-description',
    'CREATE-16.reserved-words',
    'A description is tested for truthiness in a language in which "0" is false.',
    rewriteBody(({ description, ...body }) =>
      description === '0' ? body : { ...body, ...(description !== undefined && { description }) },
    ),
  ),
  creationFault(
    'keeps-last-description',
    'CREATE-16.left-out',
    'The form of the last creation is reused, so an omitted description keeps its previous value.',
    overrideRules((base) => {
      const last = new WeakMap<Store, unknown>();
      return {
        validateCreate: (call) => {
          const description = call.body.description ?? last.get(call.store);
          last.set(call.store, call.body.description);
          const body = description === undefined ? call.body : { ...call.body, description };
          return base.validateCreate({ ...call, body });
        },
      };
    }),
  ),
  creationFault(
    'filters-description',
    'CREATE-16.reserved-words',
    'A firewall takes the words of a query language for an attack.',
    overrideRules((base) => ({
      validateCreate: (call) => {
        if (/\b(select|union|drop)\b/i.test(String(call.body.description)))
          throw rejections.invalidInvoice('forbidden');
        return base.validateCreate(call);
      },
    })),
  ),
  creationFault(
    'fills-in-description',
    'CREATE-16.reserved-words',
    'A description is used as a format string of the log: a percent sign and a letter cause an error.',
    overrideRules((base) => ({
      validateCreate: (call) => {
        if (/%[dsi]/.test(String(call.body.description)))
          throw new RangeError('not enough arguments for format string');
        return base.validateCreate(call);
      },
    })),
  ),
  creationFault(
    'fills-in-placeholders',
    'CREATE-16.reserved-words',
    'A description passes the template engine for notices, which replaces names in double braces.',
    rewriteBodyField('description', (text) => text.replaceAll(/\{\{\w+\}\}/g, '')),
  ),
  creationFault(
    'filters-paths-in-description',
    'CREATE-16.reserved-words',
    'A firewall takes two dots and a slash for an attack on the file system.',
    overrideRules((base) => ({
      validateCreate: (call) => {
        if (String(call.body.description).includes('../')) throw rejections.invalidInvoice('forbidden');
        return base.validateCreate(call);
      },
    })),
  ),
  creationFault(
    'rewrites-times-in-description',
    'CREATE-16.reserved-words',
    'The JSON parser reads every text that looks like a time as one, and a description shows it in UTC.',
    rewriteBodyField('description', (text) =>
      /^\d{4}-\d\d-\d\dT[\d:]+[+-][\d:]+$/.test(text) ? new Date(text).toISOString() : text,
    ),
  ),
  creationFault(
    'rewrites-numbers-in-description',
    'CREATE-16.reserved-words',
    'The mapper turns every numeric text into a number: a description loses its zeros.',
    rewriteBodyField('description', (text) => (/^\d+\.\d+$/.test(text) ? String(Number(text)) : text)),
  ),
  creationFault(
    'escapes-formula-description',
    'CREATE-16.reserved-words',
    'An apostrophe protects spreadsheets from a description that begins as a formula, and it is stored.',
    rewriteBodyField('description', (text) => (/^[=+@-]/.test(text) ? `'${text}` : text)),
  ),
  creationFault(
    'joins-descriptions',
    'CREATE-16.left-out',
    'Lists join the table of descriptions, so an invoice without a description is missing.',
    overrideRules((base) => ({
      page: (call, invoices, query) =>
        base.page(
          call,
          invoices.filter(({ description }) => description !== undefined),
          query,
        ),
    })),
  ),
  creationFault(
    'cuts-description',
    'CREATE-16.long',
    'The column truncates a description after 255 characters.',
    rewriteBodyField('description', (text) => text.slice(0, 255)),
  ),
  creationFault(
    'joins-lines',
    'CREATE-19.lines',
    'Line breaks become blanks.',
    rewriteBodyField('description', (text) => text.replaceAll(/\s*\n\s*/g, ' ')),
  ),
  creationFault(
    'trims-description',
    'CREATE-19.surrounding-spaces',
    'A description is trimmed.',
    rewriteBodyField('description', (text) => text.trim()),
  ),
  {
    id: 'description-ascii-only',
    requirement: 'CREATE-16',
    defect: 'Characters beyond Latin-1 become question marks.',
    caughtBy: ['CREATE-16.unicode'],
    rules: changeRenderedInvoice(({ description }) => ({
      description: String(description ?? '').replace(/[\u0100-\uffff]/g, '?'),
    })),
  },
  {
    id: 'description-unicode-rejected',
    requirement: 'CREATE-16',
    defect: 'A description with an emoji is rejected: the column is utf8mb3.',
    caughtBy: ['CREATE-16.unicode'],
    rules: overrideRules((base) => ({
      validateCreate: (call) => {
        const input = base.validateCreate(call);
        if (/\p{Extended_Pictographic}/u.test(input.description ?? '')) throw new Error('Incorrect string value');
        return input;
      },
    })),
  },
  {
    id: 'description-quotes-doubled',
    requirement: 'CREATE-16',
    defect: 'Quotes are escaped twice: each quote is stored as two.',
    caughtBy: ['CREATE-16.quotes'],
    rules: changeRenderedInvoice(({ description }) => ({
      description: String(description ?? '').replaceAll("'", "''"),
    })),
  },
  {
    id: 'description-escaped',
    requirement: 'CREATE-19',
    defect: 'Markup in a description is escaped before it is stored.',
    caughtBy: ['CREATE-19.markup'],
    rules: changeRenderedInvoice(({ description }) => ({
      description: String(description ?? '')
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;'),
    })),
  },
  {
    id: 'description-stripped',
    requirement: 'CREATE-19',
    defect: 'Text that looks like a tag is removed from a description.',
    caughtBy: ['CREATE-19.markup'],
    rules: changeRenderedInvoice(({ description }) => ({
      description: String(description ?? '').replaceAll(/<[^>]*>/g, ''),
    })),
  },
  {
    id: 'description-cut-at-64-kib',
    requirement: 'CREATE-16',
    defect: 'The column holds 65535 bytes, and the database cuts longer texts without an error.',
    caughtBy: ['CREATE-16.very-long'],
    rules: rewriteBodyField('description', (text) => text.slice(0, 65_535)),
  },
  {
    id: 'description-too-long-breaks',
    requirement: 'CREATE-16',
    defect: 'The database rejects a text that is too long for its index, and nothing translates the error: 500.',
    caughtBy: ['CREATE-16.very-long'],
    rules: overrideRules((base) => ({
      issueInvoice: (call, input, number) => {
        if ((input.description ?? '').length > 8191) throw new RangeError('index row size exceeds maximum');
        return base.issueInvoice(call, input, number);
      },
    })),
  },
];

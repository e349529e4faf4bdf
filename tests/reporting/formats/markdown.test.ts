import { describe, expect, it } from 'vitest';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import { MAX_SUMMARY_BYTES } from '../../../reporting/formats/markdown.ts';
import {
  everyCheck,
  exchange,
  footer,
  header,
  leftover,
  observation,
  reportOf,
  reportWith,
  requirement,
  result,
} from '../journal/journal-builders.ts';

const [first = '', second = '', third = '', fourth = ''] = everyCheck;

describe('the Markdown summary', () => {
  it('begins with the verdict and puts failures before everything else', async () => {
    const markdown = renderReport(
      formats.markdown,
      await reportWith(
        exchange('e1'),
        result(first, 'blocked', { blockedBy: third, reason: 'the draft could not be submitted' }),
        result(second, 'blocked', { blockedBy: third, reason: 'the draft could not be submitted' }),
        result(third, 'fail', { exchanges: ['e1'], decisive: ['e1'] }),
        result(fourth, 'warn'),
        observation('first-state', 'DRAFT'),
        leftover(),
      ),
    );
    expect(markdown).toMatch(/^# Non-conformant: `Staging gateway`/);
    const headings = [...markdown.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(headings).toEqual(['The 2 most likely defects', 'Blocked', 'Sandbox']);
    expect(markdown).toContain(
      '  - Requirement: LIFE-01 The contract says so in LIFE-01.\n  - Contract: Part of lifecycle, rule 1\n',
    );
    expect(markdown).toContain('```sh\nconformance run --target <your target file> --only LIFE-01.draft-submit\n```');
    expect(markdown).toContain(`**2 checks** by \`${third}\`: \`the draft could not be submitted\``);
    expect(markdown).toMatch(/\d+ checks: 1 failed, .*\n\d+ requirements: /);
    expect(markdown).toContain('Could not be cleaned up: `1 invoice`');
  });

  it('says why required checks were not applicable', async () => {
    const reason = 'the server sends no 429';
    const report = await reportWith(result(first, 'pass'), result(second, 'not-applicable', { reason }));
    expect(renderReport(formats.markdown, report)).toContain(`## Not applicable\n\n- \`${second}: ${reason}\``);
  });

  it('omits empty sections', async () => {
    expect(renderReport(formats.markdown, await reportWith())).not.toContain('## ');
  });

  it('leads with the causes, and lists the further failures of each in one line', async () => {
    const report = await reportWith(result(first, 'fail'), result(second, 'fail'), result(third, 'fail'));
    const cause = {
      requirement: 'AUTH-01',
      rule: 'Each failure returns 401.',
      proven: true,
      example: 'The secret is ignored.',
      targetFile: null,
      area: 'authentication',
      startWith: first,
      explains: [first, second],
      contradictedBy: [],
      blocks: 0,
      fault: 'no-secret',
    };
    const markdown = renderReport(formats.markdown, { ...report, causes: [cause], unexplained: [third] });
    expect(markdown).toContain(
      `## Most likely one defect\n\n**The server breaks AUTH-01: Each failure returns 401.** A typical mistake with the same failures: “The secret is ignored.” This explains 2 of 3 failures. Start with \`${first}\`.`,
    );
    expect(markdown).toContain(`- failed: \`${second}\` The revoked case is kept\n\n## Other failures`);
  });

  it('has at most 8192 bytes, however many failures there are and however long their texts', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `case-${index}`);
    const many = requirement('BULK-01', 'bulk', 'required', names);
    const ids = many.checks.map((check) => check.id);
    const long = '“too long” '.repeat(300);
    const report = await reportOf([
      header({ catalogue: { digest: 'd', requirements: [many] }, selected: ids }),
      ...ids.map((id, at) =>
        result(id, at % 2 ? 'fail' : 'blocked', { reason: `${id} ${long}`, actual: long, expected: long }),
      ),
      footer(),
    ]);
    const markdown = renderReport(formats.markdown, report);
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(MAX_SUMMARY_BYTES);
    expect(markdown).toContain('and 191 more checks');
    expect(markdown).toContain('catalogue `d`');
  });
});

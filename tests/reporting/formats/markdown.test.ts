import { describe, expect, it } from 'vitest';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import { everyCheck, exchange, leftover, observation, reportWith, result } from '../journal/journal-builders.ts';

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
    expect(markdown).toMatch(/^# `Non-conformant for profile full`: `Staging gateway`/);
    const headings = [...markdown.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(headings).toEqual(['Failures', 'Blocked', 'Warnings', 'Unspecified behaviour', 'Could not be cleaned up']);
    expect(markdown).toContain(
      '- Requirement: LIFE-01 The contract says so in LIFE-01.\n- Contract: Part of lifecycle, rule 1\n',
    );
    expect(markdown).toMatch(/```sh\ncurl -i -sS /);
    expect(markdown).toContain(`**2 checks** by \`${third}\`: \`the draft could not be submitted\``);
    expect(markdown).toContain('| failed | 1 | 1 |');
    expect(markdown).toContain('| `first-state` | `What about first-state?` | `"DRAFT"` |');
  });

  it('omits empty sections', async () => {
    expect(renderReport(formats.markdown, await reportWith())).not.toContain('## ');
  });

  it('fences a command with more backticks than it contains', async () => {
    const asked = exchange('e1', {
      request: { method: 'POST', url: 'https://example.com', headers: [], body: 'a ```` b' },
    });
    const markdown = renderReport(
      formats.markdown,
      await reportWith(asked, result(first, 'fail', { exchanges: ['e1'] })),
    );
    expect(markdown).toMatch(/^`````sh\n.*a ```` b.*\n`````$/m);
  });
});

import { expect, test } from 'vitest';
import type { ForbiddenRequest } from '../../../engine/diagnosis/permissions.ts';
import { missingPermission } from '../../../engine/diagnosis/permissions.ts';

test('the reason of a missing permission is the same for every invoice', () => {
  const reasonFor = (requestLine: string) =>
    missingPermission({ actor: 'buyer', requestLine, said: '403' } as ForbiddenRequest).message;
  const reason = reasonFor('POST /api/v1/invoices/7f17765f-a7c4-4a30-8a8b-2f2f6cf1f0aa/approve');
  expect(reason).toContain('may not send POST /api/v1/invoices/{id}/approve (403)');
  expect(reasonFor('POST /api/v1/invoices/inv_0000000042/approve')).toBe(reason);
  expect(reasonFor('GET /api/v1/invoices?page=0')).toContain('GET /api/v1/invoices?page=0 (403)');
});

import { overrideRules } from '../../overrides/override-rules.ts';
import type { Fault } from '../fault.ts';

/** The keys of the target file are the real ones with the wrong prefix, and this server accepts them. */
function renamed(actor: 'seller' | 'production', right: string, wrong: string): Pick<Fault, 'rules' | 'target'> {
  return {
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        const given = request.headers.get('X-API-Key') ?? '';
        const headers = new Headers(request.headers);
        if (given.startsWith(wrong)) headers.set('X-API-Key', given.replace(wrong, right));
        return base.authenticate(service, { ...request, headers });
      },
    })),
    target: (target) => {
      const held = target.actors[actor];
      if (!held) return target;
      return { ...target, actors: { ...target.actors, [actor]: { ...held, key: held.key.replace(right, wrong) } } };
    },
  };
}

export const authenticationKeyPrefixFaults: readonly Fault[] = [
  {
    id: 'key-sandbox-prefix',
    requirement: 'KEY-01',
    defect: 'Sandbox keys have the prefix of the previous product, svc_test_.',
    caughtBy: ['KEY-01.sandbox-prefix'],
    ...renamed('seller', 'svc_sand_', 'svc_test_'),
  },
  {
    id: 'key-production-prefix',
    requirement: 'KEY-01',
    defect: 'Production keys have the prefix svc_live_.',
    caughtBy: ['KEY-01.production-prefix'],
    ...renamed('production', 'svc_prod_', 'svc_live_'),
  },
];

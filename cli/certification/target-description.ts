import { basename } from 'node:path';
import { Redactor } from '../../engine/evidence/redactor.ts';
import { addTargetSecrets } from '../../engine/target/target-secrets.ts';
import type { Target } from '../../specs/target-file/target.ts';

/** The target as a reader of the package may see it: without secrets, and without the paths of the machine. */
export function describeTarget(target: Target): object {
  const redactor = new Redactor();
  addTargetSecrets(target, redactor);
  const actors = Object.entries(target.actors).map(([name, { organizationId } = { organizationId: undefined }]) => [
    name,
    { key: `<${name}.key>`, secret: `<${name}.secret>`, ...(organizationId && { organizationId }) },
  ]);
  const headers = Object.keys(target.headers).map((name) => [name, `<headers.${name}>`]);
  const { ca, certificate, key } = target.tls ?? {};
  const files = Object.entries({ ca, certificate, key }).flatMap(([name, path]) =>
    path ? [[name, basename(path)]] : [],
  );
  return redactor.maskDeep({
    ...target,
    ...(target.tls && { tls: Object.fromEntries(files) }),
    actors: Object.fromEntries(actors),
    headers: Object.fromEntries(headers),
  });
}

import { fileURLToPath } from 'node:url';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import ts from 'typescript';
import { z } from 'zod';

const MODELS = { CronJob, Job, ConfigMap, PersistentVolumeClaim };
type Kind = keyof typeof MODELS;
const MODULES: Readonly<Record<Kind, string>> = {
  CronJob: 'batch/v1/CronJob',
  Job: 'batch/v1/Job',
  ConfigMap: 'v1/ConfigMap',
  PersistentVolumeClaim: 'v1/PersistentVolumeClaim',
};
const manifest = z.looseObject({ kind: z.literal(Object.keys(MODELS) as Kind[]) });
type Manifest = z.infer<typeof manifest>;

/** The file that `typeErrors` compiles. It does not exist, but its place decides how modules are found. */
const SOURCE = fileURLToPath(new URL('manifest.ts', import.meta.url));
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};
const host = ts.createCompilerHost(OPTIONS);
const { getSourceFile } = host;
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * What the published schema of Kubernetes finds in the objects of a file. The schema accepts unknown fields; the types that are
 * generated from it do not.
 */
export function kubernetesProblems(objects: readonly unknown[]): string[] {
  const manifests = objects.map((object) => manifest.parse(object));
  return [...manifests.flatMap(schemaErrors), ...typeErrors(manifests)];
}

function schemaErrors(object: Manifest): string[] {
  try {
    new MODELS[object.kind](object as never).validate();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** The errors of TypeScript if each object is assigned to the type of its kind. */
function typeErrors(manifests: readonly Manifest[]): string[] {
  const lines = manifests.map(
    (object, at) => `import type { I${object.kind} as Type${at} } from 'kubernetes-models/${MODULES[object.kind]}';
export const object${at}: Type${at} = ${JSON.stringify(object)};`,
  );
  host.getSourceFile = (path, ...rest) => {
    if (path === SOURCE) return ts.createSourceFile(path, lines.join('\n'), ts.ScriptTarget.ES2022);
    if (!parsed.has(path)) parsed.set(path, getSourceFile.call(host, path, ...rest));
    return parsed.get(path);
  };
  const program = ts.createProgram([SOURCE], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

/** The rooms that each room may import from. docs/ARCHITECTURE.md explains them. */
const ROOMS = {
  specs: [],
  engine: ['specs'],
  helpers: ['specs', 'engine'],
  suites: ['specs', 'helpers'],
  reporting: ['specs'],
  reference: ['specs'],
  cli: ['specs', 'engine', 'helpers', 'suites', 'reporting', 'reference'],
};

/** The folders of a room, in order: a file may import only from its own folder and the folders before it. */
export const FOLDERS = {
  engine: [
    ...['model', 'scheduling', 'transport', 'evidence', 'ledger', 'target', 'records', 'http', 'diagnosis', 'runtime'],
    ...['judges', 'preflight', 'run', 'vitest'],
  ],
  helpers: [
    ...['context', 'data', 'api', 'rules', 'assert', 'invoices', 'bindings', 'fixtures', 'adaptation', 'controls'],
    ...['creation', 'webhooks', 'lifecycle', 'idempotency', 'lists', 'treasury', 'environments', 'authentication'],
    ...['isolation', 'cleanup', 'custom'],
  ],
  reporting: [
    ...[
      'text',
      'journal',
      'causes',
      'reproduction',
      'report',
      'formats',
      'merge',
      'history',
      'compare',
      'certification',
    ],
  ],
  cli: [
    ...['explain', 'earlier-runs', 'options', 'processes', 'output', 'certification', 'run', 'init', 'doctor', 'prove'],
    ...['completion', 'commands'],
  ],
};

const rule = (name, from, to) => ({ name, severity: 'error', from, to });

const roomRules = Object.entries(ROOMS).map(([room, used]) => {
  const forbidden = [...Object.keys(ROOMS), 'tests', 'scripts'].filter((each) => each !== room && !used.includes(each));
  return rule(`room-${room}`, { path: `^${room}/` }, { path: `^(${forbidden.join('|')})/` });
});

// Files directly in a room come last.
const folderRules = Object.entries(FOLDERS).flatMap(([room, folders]) =>
  folders.map((folder, at) => {
    const later = [`${room}/[^/]+$`, ...folders.slice(at + 1).map((each) => `${room}/${each}/`)];
    return rule(`folder-${room}-${folder}`, { path: `^${room}/${folder}/` }, { path: `^(${later.join('|')})` });
  }),
);

export default {
  forbidden: [
    rule('no-cycles', {}, { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }),
    rule('declared-packages-only', {}, { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] }),
    ...roomRules,
    ...folderRules,
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};

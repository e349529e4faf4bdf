import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { allFaults } from '../reference/faults/all.ts';
import { checkCatalogue, requirements } from '../specs/catalogue/catalogue.ts';
import { checkEntry, type Requirement } from '../specs/catalogue/requirement.ts';
import { suites } from '../suites/all.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `npm run new -- check LIFE-02.paid-twice --title "…"`: the catalogue entry, the pinned id, and stubs of the check and its fault. */
new Command('new')
  .command('check <id>')
  .description(
    'add a check: its entry in specs/requirements/, its id, a stub in its suite and a stub of the fault that proves it',
  )
  .requiredOption('--title <text>', 'subject, verb, expected result; at most 90 characters')
  .action((id: string, { title }: { title: string }) => {
    const requirement = requirementOf(id, title);
    const suite = suiteOf(requirement);
    const fault = faultFileOf(requirement, suite);
    const entry = `    - { id: ${id}, title: ${JSON.stringify(title)} }`;
    insert(`specs/requirements/${requirement.area}.yaml`, (text) => withEntry(text, requirement, entry));
    appendFileSync(`${root}tests/specs/catalogue/check-ids.txt`, `${id}\n`);
    insert(`suites/${suite}.ts`, (text) =>
      withImport(beforeEnd(text, checkStub(id, title)), 'check', '../../helpers/context/check.ts'),
    );
    insert(fault, (text) =>
      withImport(beforeEnd(text, faultStub(id, requirement)), 'overrideRules', '../../overrides/override-rules.ts'),
    );
    execFileSync('npm', ['run', '-s', 'generate'], { cwd: root, stdio: 'inherit' });
    execFileSync('npx', ['biome', 'check', '--write', `suites/${suite}.ts`, fault], { cwd: root, stdio: 'inherit' });
    console.log(`Write the check in suites/${suite}.ts and the fault in ${fault}.`);
    console.log(`Then: npm run -s conformance -- prove --check ${id}`);
    console.log('CONTRIBUTING.md, "Add a check", describes the other steps.');
  })
  .parent?.parse();

function requirementOf(id: string, title: string): Requirement {
  const found = requirements.find((each) => id.startsWith(`${each.id}.`));
  const { error } = checkEntry.safeParse({ id, title });
  if (error) throw new Error(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
  if (!found) throw new Error(`${id}: specs/requirements/ has no requirement ${id.split('.')[0]}; add it there first`);
  if ([...checkCatalogue.keys()].some((known) => known === id)) throw new Error(`${id}: this check already exists`);
  return found;
}

/** The suite file of the requirement. Throws if no suite judges it yet. */
function suiteOf({ id, area }: Requirement): string {
  const known = Object.entries(suites).find(([, checks]) => checks.some((check) => check.id.startsWith(`${id}.`)));
  if (!known)
    throw new Error(`${id}: no suite judges it yet; add a file to suites/${area}/ and list it in suites/all.ts`);
  return known[0];
}

/** The fault file with the name of the suite; otherwise the one with most faults of the requirement. */
function faultFileOf({ id, area }: Requirement, suite: string): string {
  const folder = `reference/faults/${area}`;
  const ids = allFaults.filter(({ requirement }) => requirement === id).map((fault) => `'${fault.id}'`);
  const held = (file: string) => {
    const text = readFileSync(`${root}${folder}/${file}`, 'utf8');
    return ids.filter((each) => text.includes(each)).length;
  };
  const files = readdirSync(`${root}${folder}`).sort((one, other) => held(other) - held(one));
  const mirrored = `reference/faults/${suite}.ts`;
  return existsSync(`${root}${mirrored}`) ? mirrored : `${folder}/${files[0]}`;
}

function insert(file: string, change: (text: string) => string): void {
  writeFileSync(`${root}${file}`, change(readFileSync(`${root}${file}`, 'utf8')));
}

/** Inserts the entry after the last check of its requirement. */
function withEntry(text: string, { id }: Requirement, entry: string): string {
  const lines = text.split('\n');
  const begin = lines.indexOf(`- id: ${id}`);
  const next = lines.findIndex((line, at) => at > begin && line.startsWith('- id: '));
  const end = next === -1 ? lines.length : next;
  const last = lines.findLastIndex((line, at) => at < end && at > begin && line.trim() !== '' && !line.startsWith('#'));
  return lines.toSpliced(last + 1, 0, entry).join('\n');
}

/** Inserts a stub at the end of the list of a suite or fault file. */
function beforeEnd(text: string, stub: string): string {
  return text.replace(/\n(\]\)?;\n)$/, (_, end: string) => `\n${stub}${end}`);
}

function withImport(text: string, name: string, from: string): string {
  const isImported = new RegExp(`^import [^;]*\\b${name}\\b[^;]*;`, 'm').test(text);
  return isImported ? text : `import { ${name} } from '${from}';\n${text}`;
}

function checkStub(id: string, title: string): string {
  return `
  // ${title}
  check('${id}', ['connection'], async () => {
    throw new Error('${id} is not written yet');
  }),
`;
}

function faultStub(id: string, { id: requirement }: Requirement): string {
  return `  {
    id: '${id.toLowerCase().replace('.', '-')}-broken',
    requirement: '${requirement}',
    defect: 'Describe the defect.',
    caughtBy: ['${id}'],
    rules: overrideRules(() => ({})),
  },
`;
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * What each folder of src/ may import: own folders by name, packages by name, `node:` builtins always.
 * The same table, with each folder's job, is in docs/architecture.md.
 */
const ALLOWED: Record<string, { folders: string[]; packages: string[] }> = {
  domain: { folders: [], packages: [] },
  async: { folders: [], packages: [] },
  plan: { folders: ['domain'], packages: ['immutable'] },
  pause: { folders: ['domain'], packages: [] },
  presenter: {
    folders: ['domain'],
    packages: ['@slack/types', 'mdast', 'mdast-util-from-markdown', 'mdast-util-gfm', 'micromark-extension-gfm'],
  },
  planner: { folders: ['async', 'domain', 'errors'], packages: ['openai', 'undici', 'eventsource-parser', 'zod'] },
  queue: { folders: ['async', 'domain', 'errors'], packages: ['bullmq'] },
  store: { folders: ['async', 'domain', 'errors'], packages: ['@electric-sql/pglite', 'kysely', 'pg', 'zod'] },
  slack: { folders: ['async', 'domain', 'errors'], packages: ['@slack/web-api'] },
  intake: {
    folders: ['async', 'domain', 'errors', 'policy/money.ts', 'presenter'],
    packages: ['@slack/bolt', '@slack/socket-mode'],
  },
  ops: { folders: ['async', 'domain', 'errors'], packages: ['prom-client'] },
  runner: { folders: ['async', 'domain', 'errors', 'plan', 'pause', 'policy', 'presenter'], packages: [] },
  sandbox: { folders: [], packages: ['ws'] },
  policy: { folders: ['domain', 'errors'], packages: ['decimal.js', 'yaml', 'zod'] },
  cli: { folders: ['config', 'domain', 'errors', 'policy', 'store'], packages: [] },
  config: {
    folders: ['errors', 'planner/asi-one/settings.ts', 'policy/approvers.ts', 'policy/money.ts'],
    packages: ['zod'],
  },
  log: { folders: ['errors'], packages: ['pino'] },
  errors: { folders: [], packages: [] },
};

/** They wire everything. */
const COMPOSITION = ['app', 'main'];

const SRC = resolve(import.meta.dirname, '../src');

type Import = { file: string; from: string; specifier: string };

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs)$/.test(name))
    .map((name) => join(folder, name));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\('([^']+)'\)/g;
  return [...text.matchAll(pattern)].map((match) => ({
    file: relative(SRC, file),
    from: topOf(relative(SRC, file)),
    specifier: match[1] ?? match[2] ?? match[3] ?? '',
  }));
}

/** The first folder of a path inside src/, or a top-level file's name without its ending. */
function topOf(path: string): string {
  return (path.split('/')[0] ?? path).replace(/\.ts$/, '');
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** A folder of the table, or a file of one. */
function reaches({ file, specifier }: Import, folder: string): boolean {
  if (!specifier.startsWith('.')) return false;
  const target = relative(SRC, resolve(SRC, dirname(file), specifier));
  return topOf(target) === folder || target === folder;
}

function isAllowed(one: Import): boolean {
  const { from, specifier } = one;
  if (COMPOSITION.includes(from) || specifier.startsWith('node:')) return true;
  const allowed = ALLOWED[from];
  if (!allowed) return false;
  return allowed.packages.includes(packageOf(specifier)) || [from, ...allowed.folders].some((to) => reaches(one, to));
}

describe('import boundaries', () => {
  const imports = sourceFiles(SRC).flatMap(importsOf);

  it('finds the imports it is about', () => {
    expect(imports.length).toBeGreaterThan(100);
  });

  it('lets each folder import only what its job needs', () => {
    const broken = imports.filter((one) => !isAllowed(one)).map((one) => `${one.file} imports ${one.specifier}`);
    expect(broken).toEqual([]);
  });

  it('permits nothing that no import needs', () => {
    const idle = Object.entries(ALLOWED).flatMap(([from, { folders, packages }]) => {
      const own = imports.filter((one) => one.from === from);
      const needed = new Set(own.map(({ specifier }) => packageOf(specifier)));
      return [
        ...folders.filter((folder) => !own.some((one) => reaches(one, folder))),
        ...packages.filter((name) => !needed.has(name)),
      ].map((name) => `${from} needs no ${name}`);
    });
    expect(idle).toEqual([]);
  });

  it('keeps the sandbox out of the product', () => {
    const broken = imports.filter((one) => one.from !== 'sandbox' && one.specifier.includes('sandbox/'));
    expect(broken).toEqual([]);
  });
});

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { errorMessage } from '../errors.ts';
import { type Policy, type PolicyRule, perCap, type RuleConditions } from './policy.ts';
import { type PolicyFile, policyFileSchema } from './policy-schema.ts';
import { readPolicyText } from './policy-text.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

const MAX_PROBLEMS = 50;

/** A policy, or all that is wrong with it, one line each: `policy.yml:12: rules[0].count (rule 1): must be 1 or 2`. */
export type ParsedPolicy = { policy: Policy } | { problems: string[] };

/** Reads a policy from a file's text. `fileName` is for the problems and for people. Never throws. */
export function parsePolicy(text: string, fileName: string): ParsedPolicy {
  const source = readYaml(text);
  if ('problems' in source) {
    return bounded(source.problems, (few) => few.map(({ line, message }) => `${fileName}:${line}: ${message}`));
  }
  const parsed = policyFileSchema.safeParse(source.data);
  const issues = [...issuesOf(parsed.error?.issues ?? []), ...crossIssues(source.data)];
  if (!parsed.success || issues.length > 0) return bounded(issues, (few) => problemLines(few, source, fileName));
  return {
    policy: toPolicy(parsed.data, { source: fileName, digest: createHash('sha256').update(text).digest('hex') }),
  };
}

/** Reads a policy file. A file that cannot be read is a problem like any other. */
export async function loadPolicyFile(
  path: string,
  read: (path: string) => Promise<string> = (file) => readPolicyText(file),
): Promise<ParsedPolicy> {
  try {
    return parsePolicy(await read(path), basename(path));
  } catch (error) {
    return { problems: [`${basename(path)}: cannot be read: ${errorMessage(error)}`] };
  }
}

type Issue = { path: readonly PropertyKey[]; message: string };

function issuesOf(
  issues: ReadonlyArray<{ code?: string; expected?: string; path: PropertyKey[]; message: string; keys?: string[] }>,
): Issue[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return (issue.keys ?? []).map((key) => ({ path: [...issue.path, key], message: 'is not a known setting' }));
    }
    // Whatever else has its own words: this would name a library's types.
    const isNoMap = issue.code === 'invalid_type' && issue.expected === 'object';
    return [{ path: issue.path, message: isNoMap ? 'must be settings, each as name: value' : issue.message }];
  });
}

/** What only several rules together can have wrong; read from the raw data, so that it is reported beside the rest. */
function crossIssues(data: unknown): Issue[] {
  const rules =
    isRecord(data) && Array.isArray(data.rules) ? data.rules.map((rule) => (isRecord(rule) ? rule : {})) : [];
  const issues: Issue[] = [];
  const catchAll = rules.findIndex((rule) => Object.keys(rule).length > 0 && rule.when === undefined);
  rules.forEach((rule, index) => {
    if (catchAll !== -1 && index > catchAll) {
      issues.push({
        path: ['rules', index],
        message: `never applies: rule ${catchAll + 1} before it matches everything`,
      });
    }
    const first = rules.findIndex((other) => other.name !== undefined && other.name === rule.name);
    if (first !== -1 && first < index) {
      issues.push({ path: ['rules', index, 'name'], message: `is the name of rule ${first + 1} already` });
    }
  });
  return issues;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function problemLines(issues: readonly Issue[], source: YamlSource, fileName: string): string[] {
  return issues
    .map((issue) => ({ ...issue, line: source.lineOf(issue.path) }))
    .sort((a, b) => a.line - b.line)
    .map(({ path, message, line }) => `${fileName}:${line}: ${pathText(path)}${countedText(path)}: ${message}`);
}

function pathText(path: Issue['path']): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${shown(String(step))}`)).join('');
  return steps === '' ? 'the file' : steps.replace(/^\./, '');
}

/** What a path counts from 0, as people count: ` (rule 1)`, ` (rule 1, entry 2)`; nothing where it counts nothing. */
function countedText(path: Issue['path']): string {
  const counted = path.flatMap((step, index) => {
    if (typeof step !== 'number') return [];
    return `${index === 1 && path[0] === 'rules' ? 'rule' : 'entry'} ${step + 1}`;
  });
  return counted.length === 0 ? '' : ` (${counted.join(', ')})`;
}

function shown(key: string): string {
  return key.length > 60 ? `${key.slice(0, 59)}…` : key;
}

/** To place a problem takes a look at the file, so only those that are told are placed. */
function bounded<T>(found: readonly T[], toLines: (few: readonly T[]) => string[]): { problems: string[] } {
  const more = found.length - MAX_PROBLEMS;
  const problems = toLines(found.slice(0, MAX_PROBLEMS));
  return { problems: more > 0 ? [...problems, `and ${more} more problems`] : problems };
}

const NO_LIST = { allow: null, deny: [] };

function toPolicy(file: PolicyFile, from: Pick<Policy, 'source' | 'digest'>): Policy {
  return {
    ...from,
    guests: file.guests,
    slackConnect: file['slack-connect'],
    methods: file.methods ?? NO_LIST,
    payees: file.payees ?? NO_LIST,
    caps: perCap((name) => file.caps?.[name] ?? null),
    rules: file.rules.map(toRule),
  };
}

function toRule({ name, when, approvers, count, decline }: PolicyFile['rules'][number]): PolicyRule {
  // The schema lets a rule have one of the two; one with neither would decline.
  const effect: PolicyRule['effect'] = approvers
    ? { kind: 'approval', who: approvers, approversNeeded: count === '2' ? 2 : 1 }
    : { kind: 'decline', reason: decline ?? 'The policy declines it.' };
  return { name, when: toConditions(when ?? {}), effect };
}

function toConditions(when: NonNullable<PolicyFile['rules'][number]['when']>): RuleConditions {
  return {
    channels: when.channels ?? null,
    requesters: when.requesters ?? null,
    currencies: when.currencies ?? null,
    over: when.over ?? null,
    upTo: when['up-to'] ?? null,
    methods: when.methods ?? null,
    payees: when.payees ?? null,
  };
}

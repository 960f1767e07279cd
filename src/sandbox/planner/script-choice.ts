import { readdirSync, readFileSync } from 'node:fs';
import type { ChatRequest } from './chat-request.ts';
import { userText } from './messages.ts';
import { type Refusal, refuse } from './refusal.ts';
import { parseScenario, type Scenario, ScenarioError } from './scenario.ts';
import type { Script } from './sessions.ts';

const FOLDER = new URL('scenarios/', import.meta.url);
const TAG = /\[scenario:([\w-]+)\]/;

/** Which requests a rule is for: those whose last user text holds this, or that pass the test. */
export type Match = string | RegExp | ((request: ChatRequest) => boolean);

/**
 * Chooses the script of a plan that starts: the newest `[scenario:name]` tag in the user turns, else the newest rule
 * that matches and is not used up, else the default.
 */
export type ScriptChoice = {
  choose(request: ChatRequest): Script | Refusal;
  /** Adds a rule. Throws a `ScenarioError` for an unknown name or a faulty scenario. */
  use(scenario: string | Scenario, options?: { times?: number; match?: Match }): void;
  /** Drops all rules. */
  reset(): void;
};

type Rule = { script: Script; left: number; match: Match | null };

/** Names of the scenarios that come with the sandbox. */
export function listScenarios(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/** Reads a scenario by name. Throws a `ScenarioError` that lists the names when there is none. */
export function loadScenario(name: string): Script {
  if (!listScenarios().includes(name))
    throw new ScenarioError(`There is no scenario "${name}". There are: ${listScenarios().join(', ')}`);
  const json: unknown = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
  return { name, scenario: parseScenario(json, name) };
}

export function createScriptChoice(options: { fallback: string | Scenario }): ScriptChoice {
  const fallback = toScript(options.fallback);
  let rules: Rule[] = [];

  function choose(request: ChatRequest): Script | Refusal {
    const tag = findTag(request);
    if (tag !== null) {
      if (!listScenarios().includes(tag)) return refuse(400, `There is no scenario "${tag}"`, 'unknown_scenario');
      return loadScenario(tag);
    }
    const rule = rules.find((candidate) => candidate.left > 0 && isMatch(candidate.match, request));
    if (!rule) return fallback;
    rule.left -= 1;
    return rule.script;
  }

  return {
    choose,
    use(scenario, { times = Number.POSITIVE_INFINITY, match } = {}) {
      rules = [{ script: toScript(scenario), left: times, match: match ?? null }, ...rules];
    },
    reset() {
      rules = [];
    },
  };
}

function toScript(scenario: string | Scenario): Script {
  if (typeof scenario === 'string') return loadScenario(scenario);
  return { name: 'inline', scenario: parseScenario(scenario, 'inline') };
}

function userTexts(request: ChatRequest): string[] {
  return request.messages.filter((message) => message.role === 'user').map(userText);
}

function findTag(request: ChatRequest): string | null {
  const tagged = userTexts(request).findLast((text) => TAG.test(text));
  return TAG.exec(tagged ?? '')?.[1] ?? null;
}

function isMatch(match: Match | null, request: ChatRequest): boolean {
  if (match === null) return true;
  if (typeof match === 'function') return match(request);
  const text = userTexts(request).at(-1) ?? '';
  return typeof match === 'string' ? text.includes(match) : match.test(text);
}

import type { Logger } from '../domain/ports/logger.ts';
import { ConfigError } from '../errors.ts';
import { loadPolicyFile } from './load-policy.ts';
import type { Policy } from './policy.ts';

/** What a reload did: `kept` leaves the policy before it in force; `no-file` means that there is nothing to read. */
export type ReloadOutcome =
  | { kind: 'loaded'; policy: Policy; isChanged: boolean }
  | { kind: 'kept'; problems: string[] }
  | { kind: 'no-file' };

/** Holds the policy in force. `current` is always a whole, valid policy. */
export type PolicyHolder = { current(): Policy; reload(): Promise<ReloadOutcome> };

/**
 * Reads the policy for the first time. `path` null: there is no file, and `fallback` (the short form) is in force for
 * good. A bad file never falls back to it, because it may allow more than the file meant to.
 *
 * `reload` is for SIGHUP; reloads follow one another, and the last one asked for wins.
 *
 * @throws {ConfigError} naming every problem of the file
 */
export async function createPolicyHolder(deps: {
  path: string | null;
  fallback: Policy;
  logger: Logger;
  readFile?: (path: string) => Promise<string>;
}): Promise<PolicyHolder> {
  const { path, fallback, logger, readFile } = deps;
  if (path === null) return withoutFile(fallback, logger);
  const first = await loadPolicyFile(path, readFile);
  if ('problems' in first) throw new ConfigError(first.problems);
  let policy = first.policy;
  let last: Promise<unknown> = Promise.resolve();

  async function readAgain(filePath: string): Promise<ReloadOutcome> {
    const next = await loadPolicyFile(filePath, readFile);
    if ('problems' in next) {
      logger.error({ source: policy.source, problems: next.problems, inForce: policy.digest }, 'policy_reload_refused');
      return { kind: 'kept', problems: next.problems };
    }
    const isChanged = next.policy.digest !== policy.digest;
    policy = next.policy;
    logger.info(
      { source: policy.source, digest: policy.digest, rules: policy.rules.length, isChanged },
      'policy_loaded',
    );
    return { kind: 'loaded', policy, isChanged };
  }

  return {
    current: () => policy,
    reload() {
      const outcome = last.then(() => readAgain(path));
      last = outcome;
      return outcome;
    },
  };
}

function withoutFile(policy: Policy, logger: Logger): PolicyHolder {
  return {
    current: () => policy,
    async reload() {
      logger.warn({ source: policy.source }, 'policy_has_no_file');
      return { kind: 'no-file' };
    },
  };
}

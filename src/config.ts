import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { ConfigError, errorMessage } from './errors.ts';
import { agentAddressProblem, VALID_MODELS } from './planner/asi-one/settings.ts';
import { readApprovers } from './policy/approvers.ts';
import { type Money, parseMoney } from './policy/money.ts';

const ENV_NOT_UTF_8 = '.env is not UTF-8: save it as that';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Node's timers fire at once for anything longer, so a longer setting would do the opposite of what it says. */
const MAX_TIMER_MS = 2_147_483_647;

const count = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(from, `must be at least ${from}`).max(to, `must be at most ${to}`));

const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

const token = (prefix: string) =>
  z
    .string({ error: `is required: a token that starts with ${prefix}` })
    .regex(new RegExp(`^${prefix}.`), `must start with ${prefix} and go on`);

const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

const approvers = list.superRefine((words, context) => {
  const read = readApprovers(words);
  if ('problem' in read) context.addIssue({ code: 'custom', message: read.problem });
});

/** An address that cannot be right would be dropped by the planner without a word. */
const agents = list.superRefine((addresses, context) => {
  for (const address of addresses) {
    const problem = agentAddressProblem(address);
    if (problem !== null) context.addIssue({ code: 'custom', message: `${address}: ${problem}` });
  }
});

const money = z.string().transform((text, context): Money => {
  const read = parseMoney(text);
  if (read !== null) return read;
  context.addIssue({ code: 'custom', message: 'must be an amount and a currency, such as 50 USD' });
  return z.NEVER;
});

/** One entry per variable, with its default; README.md, "Settings", has their meanings. */
const environment = z.object({
  SLACK_BOT_TOKEN: token('xoxb-'),
  SLACK_SIGNING_SECRET: z.string().optional(),
  SLACK_APP_TOKEN: token('xapp-').optional(),
  SLACK_API_URL: url('https:', 'http:').default('https://slack.com/api/'),
  PORT: count(0, 65_535).default(3000),
  ASI_ONE_API_KEY: z.string({ error: 'is required: the key of your ASI:One account' }),
  ASI_ONE_BASE_URL: url('https:', 'http:').default('https://api.asi1.ai/v1'),
  ASI_ONE_MODEL: z.enum(VALID_MODELS, { error: `must be one of ${VALID_MODELS.join(', ')}` }).default('asi1'),
  ASI_ONE_AGENTS: agents.default([]),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  WORKER_CONCURRENCY: count(1, 10_000).default(50),
  STATUS_EDIT_INTERVAL_MS: count(1, MAX_TIMER_MS).default(3000),
  WORKSPACE_EDITS_PER_MINUTE: count(1, 60_000).default(45),
  PAUSE_TTL_MINUTES: count(1, 35_000).default(30),
  PAUSE_TTL_MS: count(1, MAX_TIMER_MS).optional(),
  PLANNER_IDLE_TIMEOUT_MS: count(1, MAX_TIMER_MS).default(330_000),
  RUN_TIMEOUT_MS: count(1, MAX_TIMER_MS).default(5_400_000),
  POLICY_FILE: z.string().optional(),
  PAYMENT_APPROVERS: approvers.default(['requester']),
  PAYMENT_RETYPE_ABOVE: money.optional(),
  SHUTDOWN_GRACE_MS: count(0, MAX_TIMER_MS).default(600_000),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
});

type Environment = z.infer<typeof environment>;

/** Everything the environment decides, in the shapes that modules take. Times in milliseconds. */
export type Config = {
  slack: { botToken: string; signingSecret: string | null; appToken: string | null; apiUrl: string };
  port: number;
  planner: { apiKey: string; baseUrl: string; model: string; agents: string[]; idleTimeoutMs: number };
  state: { kind: 'embedded'; dataDir: string } | { kind: 'server'; databaseUrl: string };
  /** Null: the queue lives beside the state. */
  redisUrl: string | null;
  workerConcurrency: number;
  editIntervalMs: number;
  editsPerMinute: number;
  pauseTtlMs: number;
  runTimeoutMs: number;
  /** Path of the file with the payment policy. Null: the short form, `paymentApprovers`, is the policy. */
  policyFile: string | null;
  paymentApprovers: string[];
  /** Above it an amount is typed again to approve it. Null: never. */
  retypeAbove: Money | null;
  shutdownGraceMs: number;
  logLevel: (typeof LOG_LEVELS)[number];
  /** Variables that are set and have no effect beside others, for the log. */
  ignored: string[];
};

export type PolicySettings = Pick<Config, 'policyFile' | 'paymentApprovers'>;

/** Problems that only two variables together can have. */
function crossProblems(env: Partial<Record<keyof Environment, unknown>>): string[] {
  const problems: string[] = [];
  if (!env.SLACK_APP_TOKEN && !env.SLACK_SIGNING_SECRET) {
    problems.push('SLACK_SIGNING_SECRET is required for HTTP (or set SLACK_APP_TOKEN to use Socket Mode)');
  }
  if (env.REDIS_URL && !env.DATABASE_URL) {
    problems.push('REDIS_URL needs DATABASE_URL too: the embedded database serves one process only');
  }
  return problems;
}

function toState(env: Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>): Config['state'] {
  return env.DATABASE_URL
    ? { kind: 'server', databaseUrl: env.DATABASE_URL }
    : { kind: 'embedded', dataDir: env.DATA_DIR };
}

function toPolicySettings(env: Pick<Environment, 'POLICY_FILE' | 'PAYMENT_APPROVERS'>): PolicySettings {
  return { policyFile: env.POLICY_FILE ?? null, paymentApprovers: env.PAYMENT_APPROVERS };
}

function toConfig(env: Environment, ignored: string[]): Config {
  return {
    slack: {
      botToken: env.SLACK_BOT_TOKEN,
      signingSecret: env.SLACK_SIGNING_SECRET ?? null,
      appToken: env.SLACK_APP_TOKEN ?? null,
      apiUrl: env.SLACK_API_URL.endsWith('/') ? env.SLACK_API_URL : `${env.SLACK_API_URL}/`,
    },
    port: env.PORT,
    planner: {
      apiKey: env.ASI_ONE_API_KEY,
      baseUrl: env.ASI_ONE_BASE_URL,
      model: env.ASI_ONE_MODEL,
      agents: env.ASI_ONE_AGENTS,
      idleTimeoutMs: env.PLANNER_IDLE_TIMEOUT_MS,
    },
    state: toState(env),
    redisUrl: env.REDIS_URL ?? null,
    workerConcurrency: env.WORKER_CONCURRENCY,
    editIntervalMs: env.STATUS_EDIT_INTERVAL_MS,
    editsPerMinute: env.WORKSPACE_EDITS_PER_MINUTE,
    pauseTtlMs: env.PAUSE_TTL_MS ?? env.PAUSE_TTL_MINUTES * 60_000,
    runTimeoutMs: env.RUN_TIMEOUT_MS,
    ...toPolicySettings(env),
    retypeAbove: env.PAYMENT_RETYPE_ABOVE ?? null,
    shutdownGraceMs: env.SHUTDOWN_GRACE_MS,
    logLevel: env.LOG_LEVEL,
    ignored,
  };
}

type Variables = Record<string, string | undefined>;

/** The variables that say something: an empty one counts as unset, as in an `.env` file with the value left out. */
function setOnly(env: Variables): Variables {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''));
}

function problemLines(error: z.ZodError | undefined): string[] {
  return (error?.issues ?? []).map((issue) => `${String(issue.path[0])} ${issue.message}`);
}

/** Reads some of the variables, for commands that need no others. */
function readSome<T>(schema: z.ZodType<T>, env: Variables): T {
  const parsed = schema.safeParse(setOnly(env));
  if (!parsed.success) throw new ConfigError(problemLines(parsed.error));
  return parsed.data;
}

/**
 * Adds what an `.env` file in the working directory says to the process's environment, which wins over it, also where it
 * is empty. @throws {ConfigError} when there is one and it cannot be read
 */
export function loadEnvFile(): void {
  if (!existsSync('.env')) return;
  for (const [name, value] of Object.entries(parseEnv(readEnvText()))) process.env[name] ??= value;
}

/** Without a byte order mark, which would become part of the first name. */
function readEnvText(): string {
  let text = '';
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync('.env'));
  } catch (error) {
    throw new ConfigError([error instanceof TypeError ? ENV_NOT_UTF_8 : `.env cannot be read: ${errorMessage(error)}`]);
  }
  // UTF-16 without its mark would pass.
  if (text.includes('\0')) throw new ConfigError([ENV_NOT_UTF_8]);
  return text;
}

/** Where the bot keeps its state, from the environment. @throws {ConfigError} */
export function loadStateSettings(env: Variables): Config['state'] {
  return toState(readSome(environment.pick({ DATABASE_URL: true, DATA_DIR: true }), env));
}

/** Where the payment policy stands, from the environment. @throws {ConfigError} */
export function loadPolicySettings(env: Variables): PolicySettings {
  return toPolicySettings(readSome(environment.pick({ POLICY_FILE: true, PAYMENT_APPROVERS: true }), env));
}

/**
 * Reads the environment. A variable that is empty counts as unset.
 *
 * @throws {ConfigError} naming every problem at once; values are not repeated, as they may be secrets
 */
export function loadConfig(env: Variables): Config {
  const set = setOnly(env);
  const parsed = environment.safeParse(set);
  // Problems of two variables together need only the raw ones, so they are reported beside the others, not after them.
  const problems = [...problemLines(parsed.error), ...crossProblems(set)];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return toConfig(parsed.data, set.POLICY_FILE && set.PAYMENT_APPROVERS ? ['PAYMENT_APPROVERS'] : []);
}

import { parseArgs } from 'node:util';
import { loadEnvFile, loadPolicySettings } from '../config.ts';
import { type PaymentTerms, UNTOLD_METHOD } from '../domain/payment.ts';
import { ConfigError, errorMessage } from '../errors.ts';
import { explainPayment } from '../policy/explain.ts';
import { loadPolicyFile } from '../policy/load-policy.ts';
import type { Policy } from '../policy/policy.ts';
import { policyFromApprovers } from '../policy/short-form.ts';
import { asksForHelp, parseProblem } from './command-line.ts';
import { EXIT, UsageError } from './exit.ts';

const USAGE = `Usage:
  npm run policy -- explain --user U… --channel C… --amount "25 USD" [--method stripe] [--payee agent1q…] [--file policy.yml]
  npm run policy -- check [--file policy.yml]
Without development dependencies: node dist/cli/policy.js check

explain says who could approve such a payment that --user asks for, and why. check says whether the policy can be used,
and its SHA-256, which the audit trail names.
Without --file: the file that POLICY_FILE names, else the short form PAYMENT_APPROVERS (default: requester).`;

const OPTIONS = {
  user: { type: 'string' },
  channel: { type: 'string' },
  amount: { type: 'string' },
  method: { type: 'string' },
  payee: { type: 'string' },
  file: { type: 'string' },
} as const;

type Arguments = { [name in keyof typeof OPTIONS]?: string };

function readArguments(): { command: 'explain' | 'check'; values: Arguments } {
  const { positionals, values } = parse();
  const [command, ...rest] = positionals;
  if (command !== 'explain' && command !== 'check') throw new UsageError('Say explain or check.');
  if (rest[0] !== undefined) {
    throw new UsageError(`${command} takes no ${rest[0]}: a file goes after --file, and an amount stands in quotes.`);
  }
  return { command, values };
}

function parse(): { positionals: string[]; values: Arguments } {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(parseProblem(error), { cause: error });
  }
}

/** As the bot reads it, but for a file that is named here. */
async function readPolicy(file: string | undefined): Promise<Policy> {
  const settings = loadPolicySettings(process.env);
  const path = file ?? settings.policyFile;
  if (path === null) return policyFromApprovers(settings.paymentApprovers);
  const loaded = await loadPolicyFile(path);
  if ('problems' in loaded) throw new ConfigError(loaded.problems);
  return loaded.policy;
}

function explain(policy: Policy, values: Arguments): string[] {
  const requesterId = required(values.user, '--user', /^[UW][A-Z0-9]+$/);
  const channelId = required(values.channel, '--channel', /^[CDG][A-Z0-9]+$/);
  const methods = values.method === undefined ? methodsToAsk(policy) : [values.method];
  const methodsOf = new Map<string, string[]>();
  for (const method of methods) {
    const lines = explainPayment({ policy, terms: readTerms(values, method), requesterId, channelId });
    const text = lines.join('\n');
    methodsOf.set(text, [...(methodsOf.get(text) ?? []), method]);
  }
  const answers = [...methodsOf].flatMap(([text, same]) => [`Method:   ${same.join(', ')}`, text]);
  return [...answers, ...notesOn(values, policy).map((note) => `Note:     ${note}`)];
}

/** Where none is named: those that the policy allows, or the word for none where it allows any. */
function methodsToAsk({ methods: { allow, deny } }: Policy): string[] {
  const allowed = (allow ?? []).filter((method) => !deny.includes(method));
  return allowed.length > 0 ? allowed : [UNTOLD_METHOD];
}

function notesOn({ method, payee }: Arguments, policy: Policy): string[] {
  const asked = methodsToAsk(policy).includes(UNTOLD_METHOD)
    ? 'as when the agent names none'
    : 'for all that are allowed';
  return [
    ...(method === undefined ? [`no --method given: ${asked}`] : []),
    ...(payee === undefined ? ['no --payee given: as when the agent does not say whom it wants paid'] : []),
    'nothing is counted as spent today: the card in Slack shows what was',
  ];
}

function required(value: string | undefined, name: string, pattern: RegExp): string {
  if (value !== undefined && pattern.test(value)) return value;
  throw new UsageError(
    `${name} must be the id of a ${name.slice(2)}, such as ${name === '--user' ? 'U' : 'C'}0123ABCD.`,
  );
}

function readTerms({ amount, payee }: Arguments, method: string): PaymentTerms {
  // Not read strictly: an amount that no rule can decide on is a good question too.
  const [, value, currency] = /^(\S+)\s+(.+)$/.exec(amount?.trim() ?? '') ?? [];
  if (value === undefined || currency === undefined) throw new UsageError('--amount must be such as "25 USD".');
  return {
    payeeName: null,
    payeeAddress: payee ?? null,
    askerAddress: null,
    options: [{ amount: value, currency, method }],
    description: null,
    reference: null,
    deadlineSeconds: null,
    links: [],
  };
}

function check({ source, rules, digest }: Policy): string[] {
  return [`${source} can be used (${rules.length} rule${rules.length === 1 ? '' : 's'}).`, `SHA-256 ${digest}`];
}

async function main(): Promise<void> {
  if (asksForHelp(process.argv.slice(2))) return void process.stdout.write(`${USAGE}\n`);
  const { command, values } = readArguments();
  loadEnvFile();
  const policy = await readPolicy(values.file);
  const lines = command === 'explain' ? explain(policy, values) : check(policy);
  process.stdout.write(`${lines.join('\n')}\n`);
}

main().catch((error: unknown) => {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${USAGE}\n`);
    process.exitCode = EXIT.usage;
  } else {
    const problems = error instanceof ConfigError ? error.problems.join('\n') : errorMessage(error);
    process.stderr.write(`${problems}\n`);
    process.exitCode = error instanceof ConfigError ? EXIT.config : EXIT.failed;
  }
});

import type { LedgerEntry } from '../../domain/payment.ts';
import type { Person } from '../../domain/ports/people.ts';
import type { PaymentStanding } from '../../policy/evaluate.ts';
import type { RunnerDeps } from '../context.ts';

/** Asks Slack who people are, as far as it matters for who may decide a payment. All at once. */
export async function lookUpPeople(
  { people }: Pick<RunnerDeps, 'people'>,
  about: { entry: LedgerEntry; standing: PaymentStanding; userIds: readonly string[] },
): Promise<Map<string, Person>> {
  const { entry, standing } = about;
  const who = standing.kind === 'auto-decline' ? [] : standing.options.map(({ whoMayApprove }) => whoMayApprove);
  const groupIds = [...new Set(who.flatMap(({ groups }) => groups))];
  const needsMembership = who.some(({ anyone }) => anyone);
  const found = await Promise.all(
    [...new Set(about.userIds)].map((userId) =>
      people.lookUp({ userId, channelId: entry.channelId, groupIds, needsMembership }),
    ),
  );
  return new Map(found.map((person) => [person.userId, person]));
}

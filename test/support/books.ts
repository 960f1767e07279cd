import { sql } from 'kysely';
import { pino } from 'pino';
import type { SandboxPlanner } from '../../src/sandbox/planner/sandbox-planner.ts';
import type { SandboxSlack } from '../../src/sandbox/slack/sandbox-slack.ts';
import { verifyChain } from '../../src/store/audit/audit-chain.ts';
import { openPool } from '../../src/store/connection/open-pool.ts';
import { createDatabase, type Db } from '../../src/store/database.ts';

type Place = { kind: 'server'; databaseUrl: string } | { kind: 'embedded'; dataDir: string };

/**
 * A pause with what is written down of it. `decisions` counts its rows in the audit trail; `tellings` how often its run
 * may have gone to the planner after its start: once per decision, and once per person who pressed Resume.
 */
export type BookedPause = {
  pauseId: string;
  runId: string;
  threadTs: string;
  sessionId: string;
  runState: string;
  state: string;
  kind: string;
  verdict: string | null;
  decisions: number;
  tellings: number;
  ledger: string | null;
  approvers: string[];
  wasSent: boolean;
};

/** Opens the database beside the bot (a server) or after it (embedded), looks, and closes it again. */
export async function withBooks<Result>(place: Place, look: (db: Db) => Promise<Result>): Promise<Result> {
  const db = createDatabase(await openPool(place, pino({ level: 'silent' })));
  try {
    return await look(db);
  } finally {
    await db.destroy();
  }
}

/** Every pause in the order in which they were opened. */
export async function readPauses(db: Db): Promise<BookedPause[]> {
  const { rows } = await sql<BookedPause>`
    select p.id as "pauseId", p.run_id as "runId", r.thread_ts as "threadTs", r.session_id as "sessionId",
      r.state as "runState", p.state, p.request ->> 'kind' as kind, p.decision ->> 'verdict' as verdict,
      (select count(*)::int from steward.audit a where a.pause_id = p.id and a.kind = 'decided') as decisions,
      (select count(*)::int from steward.audit a where a.run_id = p.run_id
        and (a.kind = 'decided' or (a.kind = 'resumed' and a.actor_id is not null))) as tellings,
      l.state as ledger, l.sent_at is not null as "wasSent",
      array(select approver_id from steward.approvals a where a.pause_id = p.id order by seq) as approvers
    from steward.pauses p join steward.runs r on r.id = p.run_id
      left join steward.ledger l on l.pause_id = p.id order by p.seq`.execute(db);
  return rows;
}

type Stage = { readonly slack: SandboxSlack; readonly planner: SandboxPlanner };

/**
 * What must hold whatever was killed when, once every run is at rest. Each line is a rule that is broken, with where;
 * `checks` counts what was looked at.
 */
export async function auditBooks(db: Db, stage: Stage): Promise<{ problems: string[]; checks: number }> {
  const problems: string[] = [];
  let checks = 0;
  const must = (holds: boolean, rule: string) => {
    checks += 1;
    if (!holds) problems.push(rule);
  };
  for (const pause of await readPauses(db)) checkPause(stage, pause, must);
  const posts = stage.slack.everything().flatMap(({ metadata }) => metadata?.event_payload.operation_id ?? []);
  for (const operationId of new Set(posts)) {
    must(posts.filter((each) => each === operationId).length === 1, `${String(operationId)} was posted once`);
  }
  for (const request of stage.planner.refused) must(false, `the planner refused: ${request.refusal}`);
  const verdict = await verifyChain(db);
  must(verdict.ok, `the audit chain holds: ${JSON.stringify(verdict)}`);
  return { problems, checks };
}

function checkPause({ planner }: Stage, pause: BookedPause, must: (holds: boolean, rule: string) => void): void {
  const rule = (words: string) => `${words}: ${JSON.stringify(pause)}`;
  const isDecided = pause.state === 'decided';
  const resumes = planner.requests.filter(({ sessionId, kind }) => sessionId === pause.sessionId && kind !== 'start');
  must(pause.decisions === (isDecided ? 1 : 0), rule('a decided pause has one decision, any other none'));
  must(resumes.length <= pause.tellings, rule('the planner is told once of each decision'));
  if (pause.kind !== 'payment') return;
  const isApproved = isDecided && pause.verdict === 'approve';
  must(
    isApproved === ['approved', 'sent', 'settled', 'unknown'].includes(pause.ledger ?? ''),
    rule('the ledger says approved when it was'),
  );
  must(new Set(pause.approvers).size === pause.approvers.length, rule('nobody approves twice'));
  must(pause.state === 'open' || pause.ledger !== 'requested', rule('only an open payment is requested'));
  if (['queued', 'running', 'paused'].includes(pause.runState)) return;
  must(
    !['approved', 'sent', 'requested'].includes(pause.ledger ?? ''),
    rule('a run at rest leaves no payment under way'),
  );
  if (pause.ledger === 'settled') must(resumes.length > 0, rule('settled means that the planner heard of it'));
  if (pause.ledger === 'unknown' && !pause.wasSent) must(resumes.length === 0, rule('not sent means not told'));
}

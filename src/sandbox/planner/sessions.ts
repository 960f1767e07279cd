import { isPlanOver } from './answers/asked.ts';
import type { Answer } from './answers/reading.ts';
import type { ChatRequest } from './chat-request.ts';
import type { LegReport } from './leg-report.ts';
import type { LegEnd } from './play-leg.ts';
import { type Refusal, refuse } from './refusal.ts';
import { readResume } from './resume.ts';
import type { Scenario } from './scenario.ts';

/** A scenario with the name it is known by. */
export type Script = { name: string; scenario: Scenario };

/** How a request was taken: a new plan, the answer to a pause, a retry of what was refused or cut, or a plan begun anew. */
export type EntryKind = 'start' | 'resume' | 'retry' | 'start-over';

/** `answer` is what the request says to what the plan had asked last. */
export type Entry = { kind: EntryKind; script: Script; leg: number; answer: Answer };

type Paused = { request: ChatRequest; report: LegReport; at: number };

type Session = {
  script: Script;
  leg: number;
  busy: boolean;
  paused: Paused | null;
  /** The latest answer; a retry after a cut is about the same. */
  answer: Answer;
  lastEnd: LegEnd | 'aborted' | null;
};

/**
 * The plans of all sessions. Owns, per session id, the script, the leg that comes next and what a resume must repeat.
 *
 * A session: busy (a request is in flight) → paused (the next request must resume it) or over (the next starts anew).
 */
export type Sessions = {
  /** Takes a request in, or says why not. `choose` is asked only when a plan starts. */
  enter(request: ChatRequest, choose: () => Script | Refusal): Entry | Refusal;
  /** Frees the session. `aborted`: the client went; its plan is lost. */
  settle(request: ChatRequest, end: LegEnd | 'aborted', report: LegReport): void;
  /** Drops the plan of a session, or of all, as a server does with an old pause. */
  forget(sessionId?: string): void;
  /** Forgets every session that is not busy, as if it had never been. */
  reset(): void;
};

export function createSessions(options: { pauseTtlMs: number; now: () => number }): Sessions {
  const sessions = new Map<string, Session>();

  function enter(request: ChatRequest, choose: () => Script | Refusal): Entry | Refusal {
    const known = sessions.get(request.sessionId);
    if (known?.busy) return refuse(409, 'Another request of this session is still running', 'session_busy');
    const isStale = known?.paused && options.now() - known.paused.at > options.pauseTtlMs;
    if (known?.paused && !isStale) {
      const reading = readResume(known.paused, request);
      if ('fault' in reading)
        return refuse(400, `This does not resume the paused plan: ${reading.fault}`, 'resume_mismatch');
      known.answer = reading.answer;
      return begin(known, 'resume');
    }
    if (known && known.leg > 0 && !isStale) return begin(known, 'retry');
    const script = choose();
    if ('reason' in script) return script;
    const session: Session = { script, leg: 0, busy: false, paused: null, answer: { says: 'words' }, lastEnd: null };
    sessions.set(request.sessionId, session);
    if (known?.lastEnd === 'refused') return begin(session, 'retry');
    return begin(session, known ? 'start-over' : 'start');
  }

  function settle(request: ChatRequest, end: LegEnd | 'aborted', report: LegReport): void {
    const session = sessions.get(request.sessionId);
    if (!session) return;
    session.busy = false;
    session.lastEnd = end;
    const next = session.leg + 1;
    const isOver = end === 'ended' && isPlanOver(report);
    if (end === 'aborted' || isOver || next >= session.script.scenario.legs.length) {
      session.leg = 0;
      session.paused = null;
      return;
    }
    session.leg = next;
    session.paused = end === 'ended' ? { request, report, at: options.now() } : null;
  }

  function forget(sessionId?: string): void {
    for (const [id, session] of sessions) {
      if (sessionId !== undefined && sessionId !== id) continue;
      session.leg = 0;
      session.paused = null;
    }
  }

  function reset(): void {
    for (const [id, session] of sessions) if (!session.busy) sessions.delete(id);
  }

  return { enter, settle, forget, reset };
}

function begin(session: Session, kind: EntryKind): Entry {
  session.busy = true;
  session.paused = null;
  return { kind, script: session.script, leg: session.leg, answer: session.answer };
}

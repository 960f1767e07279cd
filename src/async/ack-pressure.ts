import { setImmediate as afterPendingIo } from 'node:timers/promises';

/** So many deliveries without an ack at once are a crowd; one mention alone comes as two. */
const CROWD = 3;
/** How long after the last crowd the next one is still expected. */
const CALM_AFTER_MS = 200;
/** Under pressure so many pieces of work go on per turn: a lasting crowd slows work and does not end it. */
const PRESSED_BATCH = 10;
const PRESSED_TURN_MS = 1000;
/** The same once it is calm. */
const CALM_BATCH = 100;
const CALM_TURN_MS = 25;

/**
 * Lets acknowledgements go first. Slack waits 3 s for them and for nothing else, so while many are due, the work that
 * earlier deliveries asked for goes on a little at a time.
 *
 * Owns the line of waiting work and one timer while there is any. States: calm → pressed (a crowd of deliveries waits
 * for its acks) → calm (there was no crowd for a while).
 */
export interface AckPressure {
  /** Counts a delivery until the promise settles. */
  during(acknowledged: Promise<unknown>): void;
  /** Resolves when a piece of work may begin: after pending I/O when calm, else in turn. */
  giveWay(): Promise<void>;
}

export function createAckPressure(nowMs: () => number = () => performance.now()): AckPressure {
  const line: Array<() => void> = [];
  let unacknowledged = 0;
  let pressedUntilMs = Number.NEGATIVE_INFINITY;
  let pressedTurnMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function noteCrowd(): void {
    if (unacknowledged >= CROWD) pressedUntilMs = nowMs() + CALM_AFTER_MS;
  }

  function isPressed(): boolean {
    noteCrowd();
    return nowMs() < pressedUntilMs;
  }

  /** Looks often, because calm may come at any time; what goes on under pressure waits for its turn. */
  function look(): void {
    timer = undefined;
    if (!isPressed()) letGo(CALM_BATCH);
    else if (nowMs() >= pressedTurnMs) letGo(PRESSED_BATCH);
    if (line.length > 0) timer = setTimeout(look, CALM_TURN_MS);
  }

  function letGo(count: number): void {
    pressedTurnMs = nowMs() + PRESSED_TURN_MS;
    for (const go of line.splice(0, count)) go();
  }

  return {
    during(acknowledged) {
      unacknowledged += 1;
      noteCrowd();
      const settle = () => {
        noteCrowd();
        unacknowledged -= 1;
      };
      acknowledged.then(settle, settle);
    },
    async giveWay() {
      if (line.length === 0 && !isPressed()) return void (await afterPendingIo());
      await new Promise<void>((resolve) => {
        line.push(resolve);
        if (timer === undefined) timer = setTimeout(look, CALM_TURN_MS);
      });
    },
  };
}

/** Who the bot is in its workspace. */
export type Identity = { userId: string; botId: string | null; teamId: string | null };

export interface BotIdentity {
  /** What is known now; null until Slack has answered once. */
  current(): Identity | null;
  /** Asks Slack if need be; callers at the same time share one request. Rejects when Slack does not answer. */
  resolve(): Promise<Identity>;
}

/** Learns once who the bot is (`auth.test`), and keeps it. A failure is not kept: the next caller asks again. */
export function createBotIdentity(askSlack: () => Promise<Identity>): BotIdentity {
  let known: Identity | null = null;
  let asking: Promise<Identity> | null = null;

  async function ask(): Promise<Identity> {
    try {
      known = await askSlack();
      return known;
    } finally {
      asking = null;
    }
  }

  return {
    current: () => known,
    async resolve() {
      if (known !== null) return known;
      asking ??= ask();
      return asking;
    },
  };
}

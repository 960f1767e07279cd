/** Who the bot is in its workspace. `botUserId` is what people mention; `botId` marks its messages. */
export type Identity = { teamId: string; botUserId: string; botId: string };

export interface BotIdentity {
  /** What is known now; null until Slack has answered once. */
  current(): Identity | null;
  /** Asks Slack if need be. Rejects when Slack does not answer, or when the token is not a bot's. */
  resolve(): Promise<Identity>;
}

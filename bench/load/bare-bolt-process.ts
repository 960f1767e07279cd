import { App, type AuthorizeResult, HTTPReceiver, LogLevel } from '@slack/bolt';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';

// The baseline of acknowledgements: Bolt's own HTTP receiver and listeners that do nothing. `authorize` keeps it from
// asking `auth.test`, which would make it slower.
const { botToken, botUserId, botId, signingSecret } = SANDBOX;
const authorize = async (): Promise<AuthorizeResult> => ({ botToken, botUserId, botId });
const receiver = new HTTPReceiver({ signingSecret, logLevel: LogLevel.ERROR });
const app = new App({ receiver, authorize, logLevel: LogLevel.ERROR });
app.event('app_mention', async () => {});
app.event('message', async () => {});

const server = await receiver.start(0);
const address = server.address();
process.on('disconnect', () => process.exit(0));
process.send?.(typeof address === 'object' ? address?.port : null);

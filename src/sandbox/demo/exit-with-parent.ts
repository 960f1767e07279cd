/**
 * Loaded into the bot's process by the demo: when the demo is gone, however it went, the bot and what it started end
 * too. The bot leads its own process group, so that one signal reaches all of it.
 */
process.once('disconnect', () => process.kill(-process.pid, 'SIGTERM'));
process.channel?.unref();

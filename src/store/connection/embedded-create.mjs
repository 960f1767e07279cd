// The child process that creates the embedded database: `node embedded-create.mjs DIRECTORY`. It is a process of its
// own because initdb takes about 850 MB that a thread would leave resident. Plain JavaScript, see embedded-options.mjs.

import { PGlite } from '@electric-sql/pglite';

const directory = process.argv[2];
if (!directory) throw new Error('usage: embedded-create.mjs DIRECTORY');

// The pipe from the process that wants the database ends with that process, and there is no more use for it then.
process.stdin.on('end', () => process.exit(1)).resume();

// Ctrl-C, and some service managers, signal the whole process group. The bot finishes its start before it stops, and
// needs the database for that.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});

const database = await PGlite.create(directory);
await database.exec('CREATE SCHEMA steward');
await database.close();
process.exit(0);

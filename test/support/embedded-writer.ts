/**
 * A process that writes rows through the embedded database of a DATA_DIR and says each one's number once it is
 * committed: `tsx embedded-writer.ts DATA_DIR`. It goes on until it is killed.
 */
import { pino } from 'pino';
import { openEmbeddedPool } from '../../src/store/connection/embedded.ts';

const dataDir = process.argv[2];
if (!dataDir) throw new Error('usage: embedded-writer.ts DATA_DIR');

const pool = await openEmbeddedPool({ dataDir, logger: pino({ level: 'silent' }) });
await pool.query('create table if not exists steward.written (n integer primary key)');
for (let n = 1; ; n++) {
  await pool.query('insert into steward.written values ($1)', [n]);
  process.stdout.write(`${n}\n`);
}

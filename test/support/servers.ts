import { describe, it } from 'vitest';

/** A suite that needs the PostgreSQL of `TEST_DATABASE_URL`: skipped without it, failed with `REQUIRE_SERVERS=1`. */
export function describeOnServer(title: string, suite: (databaseUrl: string) => void): void {
  const url = process.env.TEST_DATABASE_URL;
  if (url) describe(title, { timeout: 120_000 }, () => suite(url));
  else if (process.env.REQUIRE_SERVERS === '1') {
    it(title, () => {
      throw new Error('REQUIRE_SERVERS=1, but TEST_DATABASE_URL is not set');
    });
  } else describe.skip(`${title} (TEST_DATABASE_URL is not set)`, () => it('runs there too', () => undefined));
}

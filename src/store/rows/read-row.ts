import type { z } from 'zod';
import { StewardError } from '../../errors.ts';

/**
 * Reads a row that came from the database: whatever an older version or a hand wrote there is found here.
 *
 * @throws {StewardError} `store_unavailable`, not retryable, with the row's id and what is wrong
 */
export function readRow<T extends z.ZodType>(schema: T, row: unknown, name: string): z.infer<T> {
  const result = schema.safeParse(row);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  throw new StewardError(`The database holds a row that cannot be read, ${name}: ${problems}`, {
    code: 'store_unavailable',
    retryable: false,
    cause: result.error,
  });
}

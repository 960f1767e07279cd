/** A named step of the schema, applied once in one transaction. One SQL statement per entry. */
export type Migration = { name: string; statements: readonly string[] };

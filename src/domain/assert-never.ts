/** Closes a switch over one of our own unions: a member that was forgotten fails to compile. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value: ${JSON.stringify(value)}`);
}

type LogMethod = {
  (fields: object, event: string): void;
  (event: string): void;
};

/** The part of pino that modules use: a fixed event name as the message, data in fields. */
export interface Logger {
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
  child(fields: object): Logger;
}

/** One JSON object a line. Fields are facts about a call (ids, code, milliseconds), never what someone typed. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** One whose lines all carry these fields too. */
  with(fields: LogFields): Logger;
}

export type LogFields = Record<string, string | number | boolean | null | undefined>;

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes lines at `level` and above to standard error, or to `write`. */
export function createLogger({
  level,
  write = (line) => void process.stderr.write(line),
}: {
  level: LogLevel;
  write?: (line: string) => void;
}): Logger {
  return new LineLogger({ threshold: LOG_LEVELS.indexOf(level), write }, undefined);
}

/** A class: each request makes one, and an object of closures costs ten times as much. */
class LineLogger implements Logger {
  readonly #sink: { threshold: number; write: (line: string) => void };
  readonly #fields: LogFields | undefined;

  constructor(sink: { threshold: number; write: (line: string) => void }, fields: LogFields | undefined) {
    this.#sink = sink;
    this.#fields = fields;
  }

  debug(message: string, fields?: LogFields): void {
    this.#write("debug", { message, ...this.#fields, ...fields });
  }

  info(message: string, fields?: LogFields): void {
    this.#write("info", { message, ...this.#fields, ...fields });
  }

  warn(message: string, fields?: LogFields): void {
    this.#write("warn", { message, ...this.#fields, ...fields });
  }

  error(message: string, fields?: LogFields): void {
    this.#write("error", { message, ...this.#fields, ...fields });
  }

  with(fields: LogFields): Logger {
    return new LineLogger(this.#sink, { ...this.#fields, ...fields });
  }

  #write(level: LogLevel, line: LogFields): void {
    if (LOG_LEVELS.indexOf(level) < this.#sink.threshold) return;
    this.#sink.write(`${JSON.stringify({ time: new Date().toISOString(), level, ...line })}\n`);
  }
}

/** Where an unexpected error came from, without its message: messages of database errors repeat parameters. */
export function describeError(error: unknown): LogFields {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at);
  const root = chain.at(-1);
  return {
    error: chain.map(({ name }) => name).join(" < ") || typeof error,
    sqlState: textField(root, "code"),
    constraint: textField(root, "constraint_name"),
    stack: root?.stack
      ?.split("\n")
      .filter((line) => line.trimStart().startsWith("at "))
      .slice(0, 8)
      .join("\n"),
  };
}

function textField(error: Error | undefined, key: string): string | undefined {
  const found = error && Object.entries(error).find(([name]) => name === key)?.[1];
  return typeof found === "string" ? found : undefined;
}

/** One JSON object a line. Fields are facts about a call (ids, code, milliseconds), never what someone typed. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
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
  const threshold = LOG_LEVELS.indexOf(level);
  const at = (name: LogLevel) => (message: string, fields?: LogFields) => {
    if (LOG_LEVELS.indexOf(name) < threshold) return;
    write(`${JSON.stringify({ time: new Date().toISOString(), level: name, message, ...fields })}\n`);
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
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

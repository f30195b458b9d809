/** Of the driver, of the deadline, and of PostgreSQL: for now no connection, no lock, or no more time. */
const CODES =
  /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|DATABASE_TIMEOUT|08...|53300|57P0.|57014|55P03|25P03|25P04)$/;
/** Of a socket. They say the same of other connections, so only a query's count. */
const SOCKET_CODES = /^(E[A-Z]+|EAI_\w+|ERR_(STREAM|SOCKET)_\w+)$/;

/**
 * Whether a call failed because the database could not answer it now, and not for what was asked: the same may go through in a
 * moment. What a write did is then not known. Looks through the causes too.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return CODES.test(code) || ("query" in error && SOCKET_CODES.test(code)) || isUnavailable(error.cause);
}

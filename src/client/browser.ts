import type { Client, ClientOptions } from "./client";
import { connect } from "./connect";

export type * from "./api";
export type * from "./client";
export { ClientError, type ErrorKind, isClientError } from "./client-error";
export type * from "./procedures";

/** A typed client of Sangam for pages that come from the same address. Nothing is sent before the first call. */
export function createClient(options: ClientOptions): Client {
  return connect(options, { WebSocket });
}

import type { Api } from "./api";

export interface ClientOptions {
  /** Where Sangam is: `https://sangam.example`. In a browser the page has to come from there too. */
  url: string;
  /** `sgm_…`, made in Settings under "API keys". */
  apiKey: string;
  /** How streams come: server-sent events pass every proxy, one WebSocket carries many streams. "sse" by default. */
  transport?: "sse" | "websocket";
}

/** Calls every procedure in the name of the key's owner: `client.tasks.mine.query()`. */
export type Client = Api;

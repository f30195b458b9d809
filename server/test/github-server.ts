import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A request as the test server received it. */
interface ReceivedRequest {
  /** With the query. */
  path: string;
  headers: IncomingMessage["headers"];
  at: number;
}

export interface GitHubCommit {
  sha: string;
  html_url: string;
  commit: { message: string; author: { name: string; date: string } | null; committer: { name: string; date: string } };
  /** The picture's address, also relative to this server. */
  author: { login: string; avatar_url: string } | null;
}

/** How a repository answers; without one it is not there: 404. */
export type Behaviour =
  | {
      /** Newest first, in pages as they are asked for. */
      commits: GitHubCommit[];
      headers?: Record<string, string>;
      slowMs?: number;
      /** The answer is ready, and leaves once this resolves. */
      heldUntil?: Promise<void>;
      private?: boolean;
      /** Pages that answer otherwise, from 1. */
      pages?: Record<number, Behaviour>;
    }
  | { status: number; headers?: Record<string, string>; body?: string; slowMs?: number }
  | { raw: string | Uint8Array; headers?: Record<string, string> }
  | { redirectTo: string; status?: number }
  | { hugeBytes: number }
  /** Headers come, the body never ends. */
  | { hangs: true }
  /** A byte at a time, for ever. */
  | { dripMs: number }
  | { dropped: true };

export interface GitHubServer {
  /** For GITHUB_API_URL. */
  url: string;
  requests: ReceivedRequest[];
  /** Tokens that it knows. */
  tokens: Set<string>;
  repositories: Map<string, Behaviour>;
  /** How each path below `/u/` answers, where the pictures of people are; without one a picture. */
  pictures: Map<string, Behaviour>;
  /** How `/user` and `/rate_limit` answer, past the tokens. */
  user: { status: number } | null;
  /** The most requests that were under way at once; may be set back. */
  maxConcurrent: number;
  requestsFor(repository: string): ReceivedRequest[];
  close(): Promise<void>;
}

/** A server in the manner of GitHub's API on a free port: remembers every request, behaves as each repository is told to. */
export async function startGitHubServer(): Promise<GitHubServer> {
  const requests: ReceivedRequest[] = [];
  const tokens = new Set<string>();
  const repositories = new Map<string, Behaviour>();
  let underWay = 0;
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? "", headers: request.headers, at: Date.now() });
    underWay += 1;
    self.maxConcurrent = Math.max(self.maxConcurrent, underWay);
    response.on("close", () => {
      underWay -= 1;
    });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const self: GitHubServer = {
    url: `http://127.0.0.1:${port}`,
    requests,
    tokens,
    repositories,
    pictures: new Map(),
    user: null,
    maxConcurrent: 0,
    requestsFor: (repository) =>
      requests.filter(({ path }) => path.toLowerCase().startsWith(`/repos/${repository.toLowerCase()}/commits`)),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return self;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = new URL(request.url ?? "/", self.url).pathname;
    if (path.startsWith("/u/")) {
      behave(self.pictures.get(path) ?? PICTURE, request, response);
      return;
    }
    const token = /^(?:token|bearer) (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? null;
    if (token !== null && !tokens.has(token)) return void json(response, 401, { message: "Bad credentials" });
    if (path === "/user" || path === "/rate_limit") {
      if (self.user && path === "/user") return void json(response, self.user.status, { message: "Not for you" });
      return void (token === null
        ? json(response, 401, { message: "Requires authentication" })
        : json(response, 200, { login: "sangam-bot" }));
    }
    const repository =
      /^\/repos\/([^/]+\/[^/]+)\/commits$/.exec(path)?.[1] ?? /^\/(repositories\/\d+)\/commits$/.exec(path)?.[1];
    const behaviour = repositories.get(repository?.toLowerCase() ?? "");
    if (!behaviour || ("private" in behaviour && behaviour.private && token === null)) {
      return void json(response, 404, { message: "Not Found" });
    }
    behave(behaviour, request, response);
  }
}

/** One dark pixel. */
const PICTURE: Behaviour = {
  raw: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  ),
  headers: { "content-type": "image/png" },
};

function behave(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): void {
  if ("commits" in behaviour) {
    const { searchParams } = new URL(request.url ?? "/", "http://nowhere.invalid");
    const [page, size] = [Number(searchParams.get("page") ?? 1), Number(searchParams.get("per_page") ?? 30)];
    const other = behaviour.pages?.[page];
    if (other) {
      behave(other, request, response);
      return;
    }
    const base = `http://${request.headers.host}`;
    const shown = behaviour.commits.slice((page - 1) * size, page * size).map((commit) => ({
      ...commit,
      author: commit.author && { ...commit.author, avatar_url: new URL(commit.author.avatar_url, base).href },
    }));
    const body = JSON.stringify(shown);
    const etag = `W/"${createHash("sha256").update(body).digest("hex")}"`;
    const isLast = page * size >= behaviour.commits.length;
    // As GitHub words it: by the repository's number, which says nothing about its owner.
    const next = `<https://api.github.com/repositories/1/commits?per_page=${size}&page=${page + 1}>; rel="next"`;
    const headers = { etag, "x-ratelimit-remaining": "4999", ...(!isLast && { link: next }), ...behaviour.headers };
    const send = () => {
      if (request.headers["if-none-match"] === etag) response.writeHead(304, headers).end();
      else response.writeHead(200, { "content-type": "application/json; charset=utf-8", ...headers }).end(body);
    };
    if (behaviour.heldUntil) void behaviour.heldUntil.then(send);
    else if (behaviour.slowMs) setTimeout(send, behaviour.slowMs);
    else send();
  } else if ("redirectTo" in behaviour) {
    response.writeHead(behaviour.status ?? 301, { location: behaviour.redirectTo }).end();
  } else if ("hugeBytes" in behaviour) {
    response.writeHead(200, { "content-type": "application/json" });
    sendBlanks(response, behaviour.hugeBytes);
  } else if ("hangs" in behaviour) {
    response.writeHead(200, { "content-type": "application/json" }).write("[");
  } else if ("dripMs" in behaviour) {
    response.writeHead(200, { "content-type": "application/json" });
    const drip = setInterval(() => response.write(" "), behaviour.dripMs);
    response.on("close", () => clearInterval(drip));
  } else if ("dropped" in behaviour) {
    request.socket.destroy();
  } else if ("raw" in behaviour) {
    response.writeHead(200, { "content-type": "application/json", ...behaviour.headers }).end(behaviour.raw);
  } else {
    const send = () => json(response, behaviour.status, { message: behaviour.body ?? "No" }, behaviour.headers);
    setTimeout(send, behaviour.slowMs ?? 0);
  }
}

function sendBlanks(response: ServerResponse, bytes: number): void {
  const part = Buffer.alloc(64 * 1024, " ");
  let left = bytes;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= part.length;
      if (!response.write(part)) return void response.once("drain", more);
    }
    response.end("[]");
  };
  more();
}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
    .end(JSON.stringify(body));
}

let counter = 0;

/** A commit as GitHub tells it; each later one is a minute older. */
export function gitHubCommit(given: { message?: string; date?: string; author?: null } = {}): GitHubCommit {
  counter += 1;
  const sha = createHash("sha1").update(String(counter)).digest("hex");
  const signature = {
    name: "Rohan Shah",
    date: given.date ?? new Date(Date.UTC(2026, 10, 20, 9) - counter * 60_000).toISOString(),
  };
  return {
    sha,
    html_url: `https://github.com/konkan/harbour/commit/${sha}`,
    commit: { message: given.message ?? `Change ${counter}`, author: signature, committer: signature },
    author: given.author === null ? null : { login: "rohan-shah", avatar_url: "/u/1.png" },
  };
}

// Hot reload: Vite serves the browser's half on PORT and passes the rest on to the server, which restarts on changes.
import { spawn } from "node:child_process";
import { createServer as createNetServer } from "node:net";
import { createInterface } from "node:readline";
import { fail, ROOT } from "./shell.mjs";

const SERVER_PATHS = ["/api", "/healthz", "/readyz", "/contact", "/docs", "/task/"];
/** server/contract/paths.ts; a test compares. */
const PUBLIC_PAGES = new Set([
  ...["/", "/careers", "/kartavya", "/blogs", "/privacy-policy-kartavya", "/terms", "/privacy"],
]);

export async function dev(env) {
  const host = env.HOST || "127.0.0.1";
  const port = Number(env.PORT || 3000);
  const origin = env.PUBLIC_URL || `http://${host}:${port}`;
  const internalPort = await freePort();
  const { createServer } = await import("vite");
  const vite = await createServer({
    root: ROOT,
    server: { host, port, strictPort: true, proxy: proxyTo({ internalPort, origin, port }) },
    plugins: [publicPages()],
  });
  const server = startServer({
    ...process.env,
    HOST: "127.0.0.1",
    PORT: String(internalPort),
    PUBLIC_URL: origin,
    DEMO: demoOf(env, host),
  });
  let isListening = false;
  createInterface({ input: server.stdout }).on("line", async (line) => {
    if (isListening) return;
    if (!line.startsWith("ready ")) return console.log(line);
    isListening = true;
    await vite.listen();
    console.log(`ready http://${host}:${port}`);
  });
  let isAsked = false;
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
      isAsked = true;
      server.kill("SIGTERM");
    });
  }
  server.on("exit", (code) => vite.close().finally(() => process.exit(isAsked ? 0 : (code ?? 1))));
}

/** The server behind listens on loopback whatever HOST says, so it cannot judge by itself who may reach the demo. */
function demoOf({ DEMO = "", DEMO_ANYWHERE }, host) {
  const isLocal = /^(127(\.\d+){3}|::1|([\w-]+\.)*localhost)$/i.test(host);
  if (isLocal || DEMO_ANYWHERE === "1") return DEMO;
  if (DEMO === "1")
    fail("DEMO may be 1 only where HOST is loopback: set DEMO=0, or DEMO_ANYWHERE=1 to open it to everyone.");
  return "0";
}

function startServer(env) {
  return spawn(
    process.execPath,
    ["node_modules/tsx/dist/cli.mjs", "watch", "--clear-screen=false", "server/index.ts"],
    {
      cwd: ROOT,
      env: { ...env, NODE_ENV: "development" },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
}

/** Only its own two names are rewritten to the one that the server expects: a foreign Origin is still refused. */
function proxyTo({ internalPort, origin, port }) {
  const own = new Set([`http://localhost:${port}`, `http://127.0.0.1:${port}`]);
  const rewrite = (proxied) => {
    if (own.has(proxied.getHeader("origin"))) proxied.setHeader("origin", origin);
  };
  const target = {
    target: `http://127.0.0.1:${internalPort}`,
    ws: true,
    configure(proxy) {
      proxy.on("proxyReq", rewrite);
      proxy.on("proxyReqWs", rewrite);
    },
  };
  return Object.fromEntries(SERVER_PATHS.map((path) => [path, target]));
}

/** As the built server does it: the public pages have a document of their own, all else is the app. */
function publicPages() {
  return {
    name: "public-pages",
    configureServer(vite) {
      vite.middlewares.use((request, _response, next) => {
        const [path, query] = (request.url ?? "").split("?");
        if (PUBLIC_PAGES.has(path)) request.url = `/public.html${query === undefined ? "" : `?${query}`}`;
        next();
      });
    },
  };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createNetServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

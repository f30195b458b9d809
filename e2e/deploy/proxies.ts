import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CERTIFICATE } from "../../server/test/certificate";

/** A proxy that runs by the file of `deploy/` that operators copy. */
export interface RunningProxy {
  /** The lines that it has logged, each request included. */
  logged(): string[];
  close(): Promise<void>;
}

interface ProxyOptions {
  program: string;
  /** Of 127.0.0.1, for https. */
  port: number;
  /** For http. */
  plainPort: number;
  /** `127.0.0.1:3000`, one for each server process. */
  upstreams: readonly string[];
}

interface NginxOptions extends ProxyOptions {
  /**
   * For loads of a few people: `port` speaks http, each request goes to the next server, whoever sends it, and there is room for
   * so many connections.
   */
  load?: { connections: number };
}

/** nginx by `deploy/nginx.conf`: only ports, paths, servers and the certificate are replaced. */
export function startNginx({ program, port, plainPort, upstreams, load }: NginxOptions): Promise<RunningProxy> {
  return startProxy({
    port,
    file: "deploy/nginx.conf",
    replacements: (folder) => [
      // Only root may become another user, who would have to reach the folder.
      ["user www-data;", process.getuid?.() === 0 ? "user root;" : ""],
      ["worker_processes auto;", "worker_processes 1; daemon off;"],
      ["worker_rlimit_nofile 65536;", ""],
      ["worker_connections 20000;", `worker_connections ${load?.connections ?? 400};`],
      ["hash $visitor consistent;", load ? "" : "hash $visitor consistent;"],
      ["pid /run/nginx.pid;", `pid ${folder}/pid;`],
      ["error_log /var/log/nginx/error.log", "error_log stderr"],
      ["access_log /var/log/nginx/access.log", `${temporaryPaths(folder)} access_log ${folder}/access.log`],
      ["listen 80;", `listen 127.0.0.1:${plainPort};`],
      ["listen [::]:80;", ""],
      ["listen 443 ssl http2;", `listen 127.0.0.1:${port} ${load ? "backlog=4096" : "ssl http2"};`],
      ["listen [::]:443 ssl http2;", ""],
      ["/etc/letsencrypt/live/sangam.example/fullchain.pem", `${folder}/cert.pem`],
      ["/etc/letsencrypt/live/sangam.example/privkey.pem", `${folder}/key.pem`],
      ["server_name sangam.example;", "server_name localhost;"],
      ["server 127.0.0.1:3000 max_fails=0;", upstreams.map((host) => `server ${host} max_fails=0;`).join(" ")],
    ],
    run: (folder, config) => spawn(program, ["-p", folder, "-c", config, "-e", "stderr"], PIPED),
  });
}

function temporaryPaths(folder: string): string {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ");
}

/** Caddy by `deploy/Caddyfile`, with its own two variables; the certificate and the ports are put in. */
export function startCaddy({ program, port, plainPort, upstreams }: ProxyOptions): Promise<RunningProxy> {
  return startProxy({
    port,
    file: "deploy/Caddyfile",
    replacements: (folder) => [
      // With all that Caddy can log, each request included.
      ["\n{\n", `\n{\ndebug\nadmin off\nhttp_port ${plainPort}\nhttps_port ${port}\nskip_install_trust\n`],
      [
        "{$SITE_ADDRESS:sangam.example} {",
        `{$SITE_ADDRESS} {\nbind 127.0.0.1\ntls ${folder}/cert.pem ${folder}/key.pem`,
      ],
    ],
    run: (folder, config) =>
      spawn(program, ["run", "--adapter", "caddyfile", "--config", config], {
        ...PIPED,
        env: { PATH: process.env.PATH, HOME: folder, SITE_ADDRESS: "localhost", UPSTREAMS: upstreams.join(" ") },
      }),
  });
}

const PIPED: SpawnOptions = { stdio: ["ignore", "ignore", "pipe"] };

interface Start {
  port: number;
  file: string;
  /** What is in the file, each, and what stands there for the test. */
  replacements: (folder: string) => [string, string][];
  run: (folder: string, config: string) => ChildProcess;
}

async function startProxy({ port, file, replacements, run }: Start): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), "sangam-proxy-"));
  chmodSync(folder, 0o711);
  mkdirSync(join(folder, "logs"));
  writeFileSync(join(folder, "cert.pem"), CERTIFICATE.cert);
  writeFileSync(join(folder, "key.pem"), CERTIFICATE.key);
  let text = readFileSync(file, "utf8");
  for (const [before, after] of replacements(folder)) {
    if (!text.includes(before)) throw new Error(`${file} no longer has "${before}": adapt the test.`);
    text = text.replaceAll(before, after);
  }
  const config = join(folder, "config");
  writeFileSync(config, text);
  const child = run(folder, config);
  const log: string[] = [];
  child.stderr?.setEncoding("utf8").on("data", (part: string) => log.push(...part.split("\n").filter(Boolean)));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const close = async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 400; tries += 1) {
    if (child.exitCode !== null) break;
    if (await answers(port))
      return {
        logged: () => [...log, ...readLines(join(folder, "access.log"))],
        close,
      };
    await sleep(25);
  }
  await close();
  throw new Error(`The proxy does not start by ${file}:\n${log.join("\n")}`);
}

function readLines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
}

/** Whether something accepts connections there. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

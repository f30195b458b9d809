import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Connection, connect, createDb, UnpatchedDriverError } from "../../../db/client";
import { unnamedProxyNotice } from "../../core/client-address";
import type { Env, EnvResult } from "../../core/env";
import { isLoopback } from "../../core/loopback";
import type { Secrets } from "../../core/secrets";
import { createMailTransport, findMailServerFault } from "../../mail/client";
import { composeTestMail } from "../../system/mails";
import { examineContents } from "./contents";
import { examineDatabase, examineListening, examineSchema } from "./database";
import { type Finding, toDo, well } from "./finding";
import { examineCertificate, examineDisks } from "./machine";

const USAGE = "Usage: npm run doctor [-- --send-test-mail ADDRESS]";

export interface DoctorOptions {
  args: string[];
  /** The checkout. */
  root: string;
  settings: EnvResult;
  /** Makes the data folder usable and opens the database, starting the embedded one where nobody has; rejects when it cannot. */
  open: (env: Env) => Promise<Connection>;
  readSecrets: (env: Env) => Secrets;
  /** In a sentence why something failed. */
  explain: (error: unknown) => string;
  print: (line: string) => void;
}

/** `npm run doctor`: prints a line for each thing it looks at, beside a running server or without one. Whether all is well. */
export async function runDoctorCommand({ args, print, ...options }: DoctorOptions): Promise<boolean> {
  const wish = readWish(args);
  if (!wish) {
    print(USAGE);
    return false;
  }
  let isWell = true;
  for await (const { topic, ok, text } of examine(options, wish)) {
    isWell &&= ok;
    print(`${ok ? "ok   " : "TO DO"}  ${topic}: ${text}`);
  }
  return isWell;
}

interface Wish {
  testMailTo: string | null;
}

function readWish(args: string[]): Wish | null {
  try {
    const { values } = parseArgs({ args, options: { "send-test-mail": { type: "string" } } });
    return { testMailTo: values["send-test-mail"] ?? null };
  } catch {
    return null;
  }
}

type Examined = Omit<DoctorOptions, "args" | "print">;

async function* examine({ settings, ...options }: Examined, { testMailTo }: Wish): AsyncGenerator<Finding> {
  yield examineDriver();
  const { env, problems } = settings;
  if (problems !== undefined) {
    for (const problem of problems) yield toDo("settings", problem);
    yield toDo("settings", "Correct these first: everything else depends on them.");
    return;
  }
  const notice = unnamedProxyNotice(env);
  yield notice === null ? well("settings", "They fit together.") : toDo("settings", notice);
  yield* await examineDisks([env.dataDir, ...(env.backup.dir === null ? [] : [env.backup.dir])]);
  yield* await examineCertificate(env.publicUrl);
  yield await examineMail(env, { testMailTo });
  yield* examineStored(env, options);
}

function examineDriver(): Finding {
  try {
    // Nothing connects before the first query.
    void connect({ url: "postgres://localhost/sangam" }).end();
    return well("driver", "The PostgreSQL driver is the patched one.");
  } catch (error) {
    if (error instanceof UnpatchedDriverError) return toDo("driver", error.message);
    throw error;
  }
}

async function examineMail(env: Env, { testMailTo }: Wish): Promise<Finding> {
  const fault = env.smtpUrl === null ? null : await findMailServerFault(env.smtpUrl);
  if (fault !== null) return toDo("mail", `${fault} Check SMTP_URL, and the way out of this network.`);
  if (testMailTo !== null) {
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const sent = createMailTransport({ ...env, logger })({ to: testMailTo, ...composeTestMail(env.publicUrl) });
    const refusal = await sent.then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : "unknown error"),
    );
    if (refusal !== null) return toDo("mail", `The test mail was refused: ${refusal}`);
  }
  const test = testMailTo === null ? "" : ` A test mail to ${testMailTo} is on its way.`;
  if (env.smtpUrl !== null) return well("mail", `The mail server takes our mail.${test}`);
  const text = `Mails are written to ${join(env.dataDir, "outbox")} and reach nobody: set SMTP_URL.`;
  return isLoopback(new URL(env.publicUrl).hostname) ? well("mail", text) : toDo("mail", text);
}

/** Everything that needs the database. */
async function* examineStored(
  env: Env,
  { root, open, readSecrets, explain }: Omit<Examined, "settings">,
): AsyncGenerator<Finding> {
  if (env.databaseUrl === null && !existsSync(join(env.dataDir, "cluster.json"))) {
    yield well("database", `There is none yet: the first start makes it in ${env.dataDir}.`);
    return;
  }
  try {
    const connection = await open(env);
    const { db, sql, close } = createDb(connection, { max: 2 });
    try {
      yield* await examineDatabase(sql);
      yield await examineListening(connection);
      const { isPresent, ...schema } = await examineSchema(sql, { root });
      yield schema;
      if (isPresent) yield* await examineContents({ db, env, secrets: readSecrets(env) });
    } finally {
      await close();
    }
  } catch (error) {
    yield toDo("database", explain(error));
  }
}

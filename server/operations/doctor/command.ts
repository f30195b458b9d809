import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Connection, connect, createDb, UnpatchedDriverError } from "../../../db/client";
import { unnamedProxyNotice } from "../../core/client-address";
import { commandLine } from "../../core/command-line";
import { measureDisks, watchedFolders } from "../../core/disk";
import type { Env, EnvResult } from "../../core/env";
import { createLogger } from "../../core/logger";
import { isLoopback } from "../../core/loopback";
import type { Secrets } from "../../core/secrets";
import { findMailServerFault, tryMail } from "../../mail/client";
import { composeTestMail } from "../../system/mails";
import { describeSettings, inOneLine } from "../../system/warnings";
import { examineContents } from "./contents";
import { examineDatabase, examineListening, examineSchema } from "./database";
import { type Finding, toDo, well } from "./finding";
import { examineBus, examineCertificate, examineDisks } from "./machine";
import { examineStore } from "./store";

const USAGE = `Usage: ${commandLine("doctor", "[--send-test-mail ADDRESS] [--adopt-store]")}`;

const OPTIONS = { "send-test-mail": { type: "string" }, "adopt-store": { type: "boolean" } } as const;

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
  /** Whether the present store is the one of the database, by the word of whoever calls. */
  adoptsStore: boolean;
}

function readWish(args: string[]): Wish | null {
  try {
    const { values } = parseArgs({ args, options: OPTIONS });
    return { testMailTo: values["send-test-mail"] ?? null, adoptsStore: values["adopt-store"] === true };
  } catch {
    return null;
  }
}

type Examined = Omit<DoctorOptions, "args" | "print">;

async function* examine(
  { settings, ...options }: Examined,
  { testMailTo, adoptsStore }: Wish,
): AsyncGenerator<Finding> {
  yield examineDriver();
  const { env, problems } = settings;
  if (problems !== undefined) {
    for (const problem of problems) yield toDo("settings", problem);
    yield toDo("settings", "Correct these first: everything else depends on them.");
    return;
  }
  const notice = unnamedProxyNotice(env);
  yield notice === null ? well("settings", "They fit together.") : toDo("settings", notice);
  yield* examineDisks(await measureDisks(watchedFolders(env)));
  yield* await examineCertificate(env.publicUrl);
  yield await examineMail(env, testMailTo);
  if (env.pubsubUrl !== null) yield await examineBus(env.pubsubUrl);
  yield* examineStored(env, { ...options, adoptsStore });
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

async function examineMail(env: Env, testMailTo: Wish["testMailTo"]): Promise<Finding> {
  const fault = env.smtpUrl === null ? null : await findMailServerFault(env.smtpUrl);
  if (fault !== null) return toDo("mail", `${fault} Check SMTP_URL, and that this network lets email out.`);
  if (testMailTo !== null) {
    const logger = createLogger({ level: "silent" });
    const mail = { to: testMailTo, ...composeTestMail(env.publicUrl) };
    const { outcome, answer } = await tryMail(mail, { ...env, logger });
    if (outcome === "refused") return toDo("mail", `The test email was refused: ${answer}`);
  }
  const test = testMailTo === null ? "" : ` A test email to ${testMailTo} is on its way.`;
  const [unset] = describeSettings(env).mail;
  if (!unset) return well("mail", `The mail server takes our mail.${test}`);
  return isLoopback(new URL(env.publicUrl).hostname) ? well("mail", inOneLine(unset)) : toDo("mail", inOneLine(unset));
}

/** Everything that needs the database. */
async function* examineStored(
  env: Env,
  { root, open, readSecrets, explain, adoptsStore }: Omit<Examined, "settings"> & Pick<Wish, "adoptsStore">,
): AsyncGenerator<Finding> {
  if (env.databaseUrl === null && !existsSync(join(env.dataDir, "cluster.json"))) {
    yield well("database", `There is none yet: the first start makes it in ${env.dataDir}.`);
    return;
  }
  try {
    const connection = await open(env);
    const { db, sql, close } = createDb(connection, { max: 2 });
    try {
      yield* await examineDatabase({ db, sql });
      if (env.pubsubUrl === null) yield await examineListening(connection);
      const { isPresent, ...schema } = await examineSchema(sql, { root });
      yield schema;
      if (isPresent) {
        yield await examineStore({ db, env, adoptsStore });
        yield* await examineContents({ db, env, secrets: readSecrets(env) });
      }
    } finally {
      await close();
    }
  } catch (error) {
    yield toDo("database", explain(error));
  }
}

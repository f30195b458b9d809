import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "../../../db/client";
import { findBackupStatus } from "../../backups/queries";
import type { Env } from "../../core/env";
import { isLoopback } from "../../core/loopback";
import { type Secrets, vaultOf } from "../../core/secrets";
import type { Vault } from "../../core/vault";
import { createGitHubClient } from "../../github/client";
import { findGrant, findTokenStatus } from "../../github/token";
import { findSealedByFormerKeys } from "../../sealed-columns";
import { STANDSTILL_MS } from "../../system/conditions";
import { findFormerSessions, listFailingKinds } from "../../system/queries";
import { describeSettings, describeTrouble, inOneLine, since } from "../../system/warnings";
import { explainFailure } from "../failure";
import { type Finding, toDo, well } from "./finding";

interface Patient {
  db: Db;
  env: Env;
  secrets: Secrets;
}

/** What the rows say: secrets that were exchanged, the repository token, background work and backups. */
export async function examineContents(patient: Patient): Promise<Finding[]> {
  const vault = vaultOf(patient.secrets);
  return [
    await examineSealed(patient, vault),
    ...(await examineFormerSecret(patient)),
    await examineToken(patient, vault),
    ...(await examineJobs(patient)),
    ...(await examineBackups(patient)),
  ];
}

async function examineSealed({ db, secrets }: Patient, vault: Vault): Promise<Finding> {
  const { readable, unreadable } = await findSealedByFormerKeys(db, vault);
  if (unreadable.length > 0) {
    const what = unreadable.join(", ");
    return toDo(
      "secrets",
      `No key opens what is stored (${what}): give the former TOKEN_ENCRYPTION_KEY in TOKEN_ENCRYPTION_KEY_OLD.`,
    );
  }
  if (readable.length > 0) {
    const what = readable.join(", ");
    return toDo("secrets", `A former TOKEN_ENCRYPTION_KEY still seals ${what}: start a server, which seals it anew.`);
  }
  const isOver = secrets.oldTokenEncryptionKeys.length > 0;
  return well(
    "secrets",
    isOver ? "Nothing needs TOKEN_ENCRYPTION_KEY_OLD any more: remove it." : "All of them can be opened.",
  );
}

async function examineFormerSecret({ db, secrets }: Patient): Promise<Finding[]> {
  if (secrets.oldBetterAuthSecrets.length === 0) return [];
  const { count, until } = await findFormerSessions(db, secrets);
  if (count === 0) return [well("sessions", "No session needs BETTER_AUTH_SECRET_OLD any more: remove it.")];
  const browsers = count === 1 ? "1 browser is" : `${count} browsers are`;
  const text = `${browsers} still logged in by BETTER_AUTH_SECRET_OLD, until ${until?.slice(0, 10)} at the latest: keep it till then.`;
  return [well("sessions", text)];
}

async function examineToken({ db, env }: Patient, vault: Vault): Promise<Finding> {
  const topic = "GitHub token";
  const { configured } = await findTokenStatus(db);
  if (!configured) return well(topic, "None is set: only public repositories are read.");
  const grant = await findGrant(db, vault);
  const verdict = grant && (await createGitHubClient({ apiUrl: env.github.apiUrl }).checkToken(grant.token));
  if (verdict === "accepted") return well(topic, "GitHub accepts it.");
  if (verdict === "unanswered")
    return toDo(topic, `${env.github.apiUrl} does not answer: check the way out of this network.`);
  return toDo(
    topic,
    `${grant ? "GitHub refuses it" : "It cannot be decrypted"}: an admin enters a new one in Settings.`,
  );
}

async function examineJobs({ db }: Patient): Promise<Finding[]> {
  const kinds = await listFailingKinds(db);
  return kinds.flatMap(({ id, failingSince, lastError }) => {
    if (!failingSince || Date.now() - failingSince.valueOf() < STANDSTILL_MS) return [];
    const details = lastError === null ? {} : { error: lastError };
    return toDo("background work", inOneLine(describeTrouble({ id: `job:${id}`, details }, since(failingSince))));
  });
}

async function examineBackups({ db, env }: Patient): Promise<Finding[]> {
  const topic = "backups";
  const { last, lastNightly, isOverdue } = await findBackupStatus(db);
  const newest = last ? ` The last one: ${last.at.slice(0, 16)}Z, ${last.error ?? last.file}` : " There is none yet.";
  const [unset] = describeSettings(env).backups;
  if (env.backup.dir === null && unset) {
    const text = `${inOneLine(unset)}${newest}`;
    return [isLoopback(new URL(env.publicUrl).hostname) ? well(topic, text) : toDo(topic, text)];
  }
  const fault = env.backup.dir === null ? null : await findFolderFault(env.backup.dir);
  if (fault !== null) {
    const action = "Check that the disk of BACKUP_DIR is mounted, and that this user may write there.";
    return [toDo(topic, inOneLine({ text: `No backup can be written: ${fault}`, action }))];
  }
  if (lastNightly?.error || isOverdue) {
    const details = lastNightly?.error ? { error: lastNightly.error } : {};
    return [toDo(topic, inOneLine(describeTrouble({ id: "backup", details })))];
  }
  return [well(topic, ["They are made at night.", newest.trim(), ...(unset ? [inOneLine(unset)] : [])].join(" "))];
}

/** Why nothing can be written to a folder; null where an empty file could be, which is removed again. */
async function findFolderFault(dir: string): Promise<string | null> {
  const probe = join(dir, `.doctor-${process.pid}`);
  try {
    await writeFile(probe, "", { mode: 0o600 });
    await rm(probe);
    return null;
  } catch (error) {
    return explainFailure(error, dir) ?? "Something unexpected happened.";
  }
}

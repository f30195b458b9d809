import type { Db } from "../../db/client";
import { insertAudit } from "../audit/mutations";
import { commandLine } from "../core/command-line";
import type { AuthGateway } from "../core/context";
import { insertAccount } from "./mutations";
import { hasActiveAdmin } from "./queries";

interface AdminDetails {
  email: string;
  password: string;
  name: string;
}

/** For a start after which nobody could sign in. */
export const FIRST_ADMIN_HINT = `There is no admin yet, so nobody can sign in. Make the first one:
  ${commandLine("admin", 'create --email you@firm.example --name "Your Name"')}
or start again with ADMIN_EMAIL and ADMIN_PASSWORD set.
`;

interface Making {
  db: Db;
  hashPassword: AuthGateway["hashPassword"];
  admin: AdminDetails;
}

/**
 * Makes the first admin of a real organisation when there is none yet; accounts of `demoEmails` do not count. An e-mail that
 * is taken stays as it is: changing somebody's role is never a side effect of a start.
 */
export async function ensureFirstAdmin({
  demoEmails,
  ...making
}: Making & { demoEmails: readonly string[] }): Promise<"made" | "not needed" | "e-mail taken"> {
  if (await hasActiveAdmin(making.db, { except: demoEmails })) return "not needed";
  return (await makeAdmin(making)) ? "made" : "e-mail taken";
}

/** Makes an active admin, with an audit row of the server's own; false when the e-mail is taken. */
export async function makeAdmin({ db, hashPassword, admin }: Making): Promise<boolean> {
  const passwordHash = await hashPassword(admin.password);
  return db.transaction(async (tx) => {
    const made = await insertAccount(tx, {
      name: admin.name,
      email: admin.email,
      mobile: null,
      passwordHash,
      accountType: "admin",
      accountStatus: "active",
      emailPresumed: true,
    });
    if (made) await insertAudit(tx, { kind: "account.made-admin", actorId: null, subjectId: made.id });
    return made !== null;
  });
}

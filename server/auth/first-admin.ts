import type { Db } from "../../db/client";
import type { AuthGateway } from "../core/context";
import { insertAccount } from "./mutations";
import { hasActiveAdmin } from "./queries";

/**
 * Makes the first admin of a real organisation when there is none yet. An e-mail that is taken stays as it is: changing
 * somebody's role is never a side effect of a start.
 */
export async function ensureFirstAdmin({
  db,
  hashPassword,
  admin,
}: {
  db: Db;
  hashPassword: AuthGateway["hashPassword"];
  admin: { email: string; password: string; name: string };
}): Promise<"made" | "not needed" | "e-mail taken"> {
  if (await hasActiveAdmin(db)) return "not needed";
  const made = await insertAccount(db, {
    name: admin.name,
    email: admin.email,
    mobile: null,
    passwordHash: await hashPassword(admin.password),
    accountType: "admin",
    accountStatus: "active",
  });
  return made ? "made" : "e-mail taken";
}

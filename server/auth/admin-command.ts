import { parseArgs } from "node:util";
import * as z from "zod/mini";
import type { Db } from "../../db/client";
import { emailSchema, nameSchema, newPasswordSchema } from "../contract/accounts";
import type { AuthGateway } from "../core/context";
import { askHidden } from "../core/terminal";
import { makeAdmin } from "./first-admin";

const USAGE =
  "Usage: npm run admin -- create --email E --name N   (the password is asked, or taken from ADMIN_PASSWORD)";

const detailsSchema = z.object({ email: emailSchema, name: nameSchema, password: newPasswordSchema });

/** `npm run admin -- create`: what to say, and whether it worked. `password` is asked for when it is null. */
export async function runAdminCommand({
  args,
  password,
  db,
  hashPassword,
}: {
  args: string[];
  password: string | null;
  db: Db;
  hashPassword: AuthGateway["hashPassword"];
}): Promise<{ ok: boolean; sentence: string }> {
  const wish = readWish(args);
  if (!wish) return { ok: false, sentence: USAGE };
  const details = detailsSchema.safeParse({ ...wish, password: password ?? (await askHidden("Password: ")) });
  if (!details.success) return { ok: false, sentence: details.error.issues.map(({ message }) => message).join("\n") };
  if (await makeAdmin({ db, hashPassword, admin: details.data })) {
    return { ok: true, sentence: `${details.data.email} is an admin now and can log in.` };
  }
  return {
    ok: false,
    sentence: "There is an account with this e-mail already: an admin changes its type in the Users tab.",
  };
}

function readWish(args: string[]): { email: string; name: string } | null {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { email: { type: "string" }, name: { type: "string" } },
    });
    const { email, name } = values;
    return positionals[0] === "create" && positionals.length === 1 && email && name ? { email, name } : null;
  } catch {
    return null;
  }
}

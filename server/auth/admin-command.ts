import { parseArgs } from "node:util";
import * as z from "zod/mini";
import type { Db } from "../../db/client";
import { emailSchema, nameSchema, newPasswordSchema } from "../contract/accounts";
import { commandLine } from "../core/command-line";
import type { AuthGateway } from "../core/context";
import { DomainError } from "../core/errors";
import { askHidden } from "../core/terminal";
import { makeAdmin } from "./first-admin";
import { findAddressee } from "./queries";
import { removeTwoFactor } from "./second-step";

const USAGE = `Usage: ${commandLine("admin", "create --email E --name N")}   (the password is asked, or taken from ADMIN_PASSWORD)
       ${commandLine("admin", "reset-two-factor --email E")}    (for whoever has lost their authenticator and recovery codes)`;

const detailsSchema = z.object({ email: emailSchema, name: nameSchema, password: newPasswordSchema });

/**
 * `npm run admin -- create` and `reset-two-factor`: what to say, and whether it worked. `password` is asked for when it is null. Throws
 * NoAnswerError.
 */
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
  if (wish.name === null) return resetTwoFactor(db, wish);
  const details = detailsSchema.safeParse({
    ...wish,
    password: password ?? (await askHidden("Password: ", { setting: "ADMIN_PASSWORD" })),
  } satisfies Record<keyof z.input<typeof detailsSchema>, unknown>);
  if (!details.success) return { ok: false, sentence: details.error.issues.map(({ message }) => message).join("\n") };
  if (await makeAdmin({ db, hashPassword, admin: details.data })) {
    return { ok: true, sentence: `${details.data.email} is an admin now and can log in.` };
  }
  return {
    ok: false,
    sentence: "There is an account with this e-mail already: an admin changes its type in the Users tab.",
  };
}

async function resetTwoFactor(db: Db, { email }: { email: string }): Promise<{ ok: boolean; sentence: string }> {
  const person = await findAddressee(db, { email: email.trim().toLowerCase() });
  if (!person) return { ok: false, sentence: `Nobody has the e-mail ${email}.` };
  try {
    await removeTwoFactor(db, { userId: person.id, actorId: null });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ok: false, sentence: `${person.email} has no two-factor sign-in.` };
  }
  return { ok: true, sentence: `${person.email} can log in with the password alone now.` };
}

/** `name` is null for `reset-two-factor`. */
function readWish(args: string[]): { email: string; name: string | null } | null {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { email: { type: "string" }, name: { type: "string" } },
    });
    const { email, name } = values;
    if (positionals.length !== 1 || !email) return null;
    if (positionals[0] === "reset-two-factor") return { email, name: null };
    return positionals[0] === "create" && name ? { email, name } : null;
  } catch {
    return null;
  }
}

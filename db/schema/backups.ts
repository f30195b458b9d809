import { bigint, boolean, index, pgTable, text } from "drizzle-orm/pg-core";
import { BACKUP_KINDS } from "../enums";
import { instant, leaseColumns } from "./columns";

/** Each backup that was tried: what the next mail to admins and the System page say of it. Backups before migrations are not here. */
export const backups = pgTable(
  "backups",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text({ enum: BACKUP_KINDS }).notNull(),
    /** Its path on the machine that wrote it. */
    file: text().notNull(),
    startedAt: instant().notNull(),
    finishedAt: instant().notNull().defaultNow(),
    /** Null for one that failed. */
    sizeBytes: bigint({ mode: "number" }),
    /** Whether the server's secrets are in it, encrypted with the passphrase. */
    holdsSecrets: boolean().notNull().default(false),
    /** Whether all of it was read back from the disk as it was written. */
    isVerified: boolean().notNull().default(false),
    /** Why it failed, in a sentence; null for one that is whole. */
    error: text(),
  },
  (t) => [index("backups_kind_idx").on(t.kind, t.id)],
);

/** The backup that an admin has asked for on the System page, until it is made: one row at most, whichever process makes it. */
export const backupRequests = pgTable("backup_requests", {
  /** Always the same. */
  id: text().primaryKey(),
  askedAt: instant().notNull().defaultNow(),
  ...leaseColumns(),
});

import * as z from "zod/mini";
import { tableSchema } from "../snapshot";

/** Raised when an older version could not restore what this one writes. */
export const FORMAT = 1;

const checksum = { bytes: z.number(), sha256: z.string() };

/** manifest.json of a backup: what is in the file, and of which version. */
export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  takenAt: z.iso.datetime(),
  /** Of Sangam, of PostgreSQL, and the newest migration. */
  versions: z.object({ sangam: z.string(), postgresql: z.string(), migration: z.number() }),
  /** Their rows are in `tables/NAME.copy`, in the order of their keys, as COPY writes text. */
  tables: z.array(z.extend(tableSchema, { rows: z.number(), ...checksum })),
  sequences: z.record(z.string(), z.string()),
  /** Below `files/`. */
  files: z.array(z.object({ name: z.string(), ...checksum })),
  /** What tells one secret from another, and reveals nothing about it. */
  secretIds: z.object({ betterAuthSecret: z.string(), tokenEncryptionKey: z.string() }),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const MANIFEST = "manifest.json";
/** Only of a backup that was written with a passphrase. */
export const SECRETS = "secrets.json";

/** Where the rows of a table are. */
export function tableEntry(name: string): string {
  return `tables/${name}.copy`;
}

/** Where an uploaded file is. */
export function fileEntry(name: string): string {
  return `files/${name}`;
}

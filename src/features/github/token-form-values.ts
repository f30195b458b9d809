import { setTokenSchema } from "@server/contract/github";
import type * as z from "zod/mini";

/** What stands in the form. */
export interface TokenForm {
  token: string;
  /** Names with commas, blanks or lines between them. */
  owners: string;
}

/** What the server takes. */
export type NewToken = z.output<typeof setTokenSchema>;

export type TokenComplaints = Partial<Record<keyof TokenForm, string>>;

/** The token with its owners as a list; or what is wrong, by field. Where `mayKeep`, an empty field keeps the present token. */
export function readTokenForm(
  { token, owners }: TokenForm,
  { mayKeep }: { mayKeep: boolean },
): { fields: NewToken } | { complaints: TokenComplaints } {
  const names = splitOwners(owners);
  const isKept = mayKeep && token.trim() === "";
  const parsed = setTokenSchema.safeParse({ ...(!isKept && { token }), owners: names });
  if (parsed.success) return { fields: parsed.data };
  const complaints: TokenComplaints = {};
  for (const { path, message } of parsed.error.issues) {
    const [field, at] = path;
    if (field === "token") complaints.token ??= message;
    if (field === "owners") complaints.owners ??= about(typeof at === "number" ? names[at] : undefined, message);
  }
  return { complaints };
}

/** The server's complaints, by field of the form: `owners.3` is about the fourth name. */
export function tokenComplaints(fieldErrors: Record<string, string>, { owners }: TokenForm): TokenComplaints {
  const complaints: TokenComplaints = {};
  for (const [path, message] of Object.entries(fieldErrors)) {
    const at = /^owners\.(\d+)$/.exec(path)?.[1];
    if (path === "token") complaints.token = message;
    else if (path === "owners") complaints.owners = message;
    else if (at !== undefined) complaints.owners ??= about(splitOwners(owners)[Number(at)], message);
  }
  return complaints;
}

function splitOwners(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean);
}

function about(name: string | undefined, message: string): string {
  return name === undefined ? message : `${name}: ${message}`;
}

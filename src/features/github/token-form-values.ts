import { type NewToken, setTokenSchema } from "@server/contract/github";

/** The values of the form's fields. */
export interface TokenForm {
  token: string;
  /** Names separated by commas, spaces or line breaks. */
  owners: string;
}

export type TokenFieldErrors = Partial<Record<keyof TokenForm, string>>;

/** Parses the form: the input for the server, or errors by field. With `mayKeep`, an empty token keeps the current one. */
export function readTokenForm(
  { token, owners }: TokenForm,
  { mayKeep }: { mayKeep: boolean },
): { fields: NewToken } | { fieldErrors: TokenFieldErrors } {
  const names = splitOwners(owners);
  const keepsToken = mayKeep && token.trim() === "";
  const parsed = setTokenSchema.safeParse({ ...(!keepsToken && { token }), owners: names } satisfies Partial<NewToken>);
  if (parsed.success) return { fields: parsed.data };
  const fieldErrors: TokenFieldErrors = {};
  for (const { path, message } of parsed.error.issues) {
    const [field, at] = path;
    if (field === ("token" satisfies keyof NewToken)) fieldErrors.token ??= message;
    if (field === ("owners" satisfies keyof NewToken))
      fieldErrors.owners ??= about(typeof at === "number" ? names[at] : undefined, message);
  }
  return { fieldErrors };
}

/** The server's errors by field of the form: `owners.3` is about the fourth name. */
export function tokenFieldErrors(serverErrors: Record<string, string>, { owners }: TokenForm): TokenFieldErrors {
  const fieldErrors: TokenFieldErrors = {};
  for (const [path, message] of Object.entries(serverErrors)) {
    const at = /^owners\.(\d+)$/.exec(path)?.[1];
    if (path === ("token" satisfies keyof NewToken)) fieldErrors.token = message;
    else if (path === ("owners" satisfies keyof NewToken)) fieldErrors.owners = message;
    else if (at !== undefined) fieldErrors.owners ??= about(splitOwners(owners)[Number(at)], message);
  }
  return fieldErrors;
}

function splitOwners(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean);
}

function about(name: string | undefined, message: string): string {
  return name === undefined ? message : `${name}: ${message}`;
}

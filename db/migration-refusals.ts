/** PostgreSQL refuses what migrations need, a right or an extension; the message says what to do. */
export class MigrationRefusedError extends Error {}

/** How a database user gets what migrations need. */
export const GIVE_RIGHTS =
  "make it the owner of the database and of what is in it, or grant it CREATE on the database and on its schema public";
export const INSTALL_CONTRIB = "install its contrib package (postgresql-contrib)";

const UNCHANGED = "then start again. Nothing has been changed.";

/** Throws MigrationRefusedError in place of an error that says which right or extension is missing. */
export async function explainRefusals<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explained(error) ?? error;
  }
}

/** The messages of these errors repeat names alone, and may be in any language. */
function explained(error: unknown): MigrationRefusedError | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  const { code, message } = error;
  if (code === "42501") {
    return new MigrationRefusedError(
      `The database user may not bring the database to this version's schema (${message}): ${GIVE_RIGHTS}, ${UNCHANGED}`,
    );
  }
  const isExtension = code === "0A000" && "routine" in error && error.routine === "parse_extension_control_file";
  // undefined_file: what an extension consists of.
  if (!isExtension && code !== "58P01") return null;
  return new MigrationRefusedError(
    `PostgreSQL lacks an extension that migrations use (${message}): ${INSTALL_CONTRIB}, ${UNCHANGED}`,
  );
}

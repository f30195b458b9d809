import type { File as UploadedFile } from "@server/contract/views";

/**
 * Whether something that was stored or received is a file as the server describes it.
 *
 * A file of its own: the outbox, which the first pages have, needs nothing else of files.
 */
export function isUploadedFile(value: unknown): value is UploadedFile {
  if (typeof value !== "object" || value === null) return false;
  const file: Partial<Record<keyof UploadedFile, unknown>> = value;
  return (
    [file.id, file.name, file.type, file.createdAt, file.createdBy].every((field) => typeof field === "string") &&
    typeof file.size === "number" &&
    [file.width, file.height].every((length) => length === null || typeof length === "number")
  );
}

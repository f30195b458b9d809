import { isUnavailable } from "../../db/deadlines";
import { DamagedBackupError } from "./backup/write";

/** In a sentence why a file could not be written or read; null for what nobody foresaw. */
export function explainFailure(error: unknown, path: string): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof DamagedBackupError) return error.message;
  const code = "code" in error ? String(error.code) : "";
  if (code === "ENOSPC" || code === "EDQUOT") return `The disk of ${path} is full.`;
  if (code === "ENOENT" || code === "ENOTDIR") return `There is no ${path}, or no folder for it.`;
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return `This user may not use ${path}.`;
  if (code === "EISDIR") return `${path} is a folder.`;
  if (isUnavailable(error)) return "The connection to the database was lost.";
  return null;
}

import { filePath } from "@server/contract/files";
import type { File as UploadedFile } from "@server/contract/views";

/** What a file is shown as. */
export type FileKind = "image" | "pdf" | "text" | "other";

/** By what its bytes show, not by its name. A picture without measures has no thumbnail: it could not be read. */
export function kindOf({ type, width, height }: Pick<UploadedFile, "type" | "width" | "height">): FileKind {
  if (width !== null && height !== null) return "image";
  if (type === "application/pdf") return "pdf";
  return type === "text/plain" ? "text" : "other";
}

/** Whether the page itself can show it, and not only save it. */
export function isViewable(file: UploadedFile): boolean {
  const kind = kindOf(file);
  // Most phones have no viewer for PDF inside a page.
  return kind === "pdf" ? navigator.pdfViewerEnabled : kind !== "other";
}

/** The colour behind a picture: both black and white show on it where others let it through. */
export function behindPicture({ type }: Pick<UploadedFile, "type">): string {
  return type === "image/jpeg" ? "bg-sunken" : "bg-behind-picture";
}

/** What is sent as the text of a message or a comment that has files and no words: their names. */
export function textOfFiles(files: readonly Pick<UploadedFile, "name">[]): string {
  return files.map(({ name }) => name).join("\n");
}

/** Saves the file, whatever it is. */
export function downloadPath({ id }: Pick<UploadedFile, "id">): string {
  return filePath(id, "download");
}

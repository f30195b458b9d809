import { VISIBILITIES } from "@db/enums";
import * as z from "zod/mini";
import { FILE_MESSAGES } from "./messages/files";
import { subjectSchema } from "./subjects";
import { asClientKey, distinctIdsSchema, idSchema, lineSchema } from "./text";

/** Where files are uploaded, and below which each can be fetched. */
export const FILES_PATH = "/api/files";

/** Of one file, in bytes. */
export const MAX_FILE_BYTES = 25_000_000;
/** Of one comment, message or attachment. */
export const MAX_FILES = 10;
/** Of what one person has uploaded and not attached yet. */
export const MAX_UNATTACHED_FILES = 100;
export const MAX_UNATTACHED_BYTES = 500_000_000;
/** Of a page of a list. */
export const MAX_LISTED_FILES = 500;

export const fileNameSchema = lineSchema({ max: 255, required: FILE_MESSAGES.nameRequired, label: "File name" });

/** A file's name as keyboards write it and searches ask for it: a Mac's names have their accents apart. */
export function composed(name: string): string {
  return name.normalize("NFC");
}

/** What was uploaded and hangs on nothing yet, in the order in which it is shown. */
export const fileIdsSchema = distinctIdsSchema({ max: MAX_FILES, tooMany: FILE_MESSAGES.tooMany });

/** The newest, or those before `cursor`: the id of a file of the subject, for the page before a full one that of its first file. */
export const listFilesSchema = z.strictObject({
  subject: subjectSchema,
  cursor: z.optional(z.nullable(idSchema)),
  /** Sent along by the browser's query library; only forward is there. */
  direction: z.optional(z.literal("forward")),
  ...asClientKey,
});

export const attachFilesSchema = z.strictObject({
  subject: subjectSchema,
  fileIds: fileIdsSchema,
  visibility: z.enum(VISIBILITIES, { error: "Choose who can see the files." }),
});

export const fileIdSchema = z.strictObject({ fileId: idSchema });

/**
 * The address of a file, or of its thumbnail. Pictures and text are shown, all else is saved; `?preview` shows a PDF in the browser's own
 * viewer, `?download` saves whatever it is.
 */
export function filePath(id: string, part?: "thumbnail" | "preview" | "download"): string {
  if (part === undefined) return `${FILES_PATH}/${id}`;
  return `${FILES_PATH}/${id}${part === "thumbnail" ? "/" : "?"}${part}`;
}

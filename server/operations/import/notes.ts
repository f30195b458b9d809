import type { ProjectColumns, UserColumns } from "../../../db/rows";
import type {
  ExportedComment,
  ExportedProject,
  ExportedRequest,
  ExportedSignOff,
  ExportedStatusUpdate,
  ExportedTask,
  Message,
} from "../../contract/views";

export type ImportKind =
  | "user"
  | "project"
  | "task"
  | "comment"
  | "status update"
  | "template"
  | "request"
  | "conversation"
  | "message"
  | "sign-off"
  | "file";

/** What the report says of one field: that it was not matched, or what it was changed to; and why, in words. */
export type ImportNote = { kind: ImportKind | "collection"; id: string; field: string; text: string } & (
  | {
      list: "unmatched";
      value: unknown;
      /** Of a conversation: how many are left out with it. */
      messages?: number;
    }
  | { list: "changed"; from: unknown; to: unknown }
);

/** A field of an import file by the name that our own exports give it. */
type FileField =
  | keyof UserColumns
  | keyof ProjectColumns
  | keyof ExportedProject
  | keyof ExportedTask
  | keyof ExportedComment
  | keyof ExportedRequest
  | keyof ExportedSignOff
  | keyof ExportedStatusUpdate
  | keyof Message
  | "authorId"
  | "clientName"
  | "coveredUserId"
  | "coverUserId"
  | "duplicateOf"
  | "messages"
  | "participants"
  | "path"
  | "project"
  | "task"
  | "token"
  | "uploadedBy"
  | "";

export interface Subject {
  kind: ImportNote["kind"];
  /** A task's is PROJECT/TASK, a comment's PROJECT/COMMENT, a message's CONVERSATION/MESSAGE. */
  id: string;
}

const LONGEST_QUOTE = 60;
/** Names of what no report repeats, wherever in a value. */
const SECRET = /token|password|secret|hash|api.?key/i;

/** What the file says could not be used, for this reason. `unmatched<string>` where the field is of an older system, or only known as a text. */
export function unmatched<Field extends string = FileField>(
  subject: Subject,
  field: NoInfer<Field>,
  value: unknown,
  why: string,
): Extract<ImportNote, { list: "unmatched" }> {
  const shown = withoutSecrets(field, value);
  const text = storable(`${nameOf(subject)}: ${field} ${quote(shown)} was left out, as ${why}.`);
  return { list: "unmatched", kind: subject.kind, id: subject.id, field, value: shown, text };
}

/** Something else was stored than the file says, for this reason. `changed<string>` where the field is of an older system, or only known as a text. */
export function changed<Field extends string = FileField>(
  subject: Subject,
  field: NoInfer<Field>,
  { from, to, why }: { from: unknown; to: unknown; why: string },
): ImportNote {
  const text = storable(`${nameOf(subject)}: ${field} ${quote(from)} became ${quote(to)}, as ${why}.`);
  return { list: "changed", kind: subject.kind, id: subject.id, field, from: from ?? null, to, text };
}

/** A text without what no database stores. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "");
}

/** The same of every text in a value of a JSON file. */
export function storableParts(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part) => (typeof part === "string" ? storable(part) : part));
}

function withoutSecrets(field: string, value: unknown): unknown {
  if (SECRET.test(field)) return null;
  if (typeof value !== "object" || value === null) return value;
  return JSON.parse(JSON.stringify(value, (name, part) => (SECRET.test(name) ? null : part)));
}

function nameOf({ kind, id }: Subject): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${id}`;
}

function quote(value: unknown): string {
  if (value === undefined || value === null) return "(missing)";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `"${text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text}"`;
}

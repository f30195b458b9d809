import { ImportFileError, readJsonParts } from "./json-parts";
import { type ImportKind, type ImportNote, storable, unmatched } from "./notes";

/** What a source has to import, what it leaves out, and that it is an export of this product. */
export type ImportRecord = ImportThing | { kind: "left-out"; note: ImportNote } | { kind: "own-export" };

/** What our own exports have as `generator`. */
export const GENERATOR = "Sangam";

/** One thing of an import file, without what lies below it. */
export interface ImportThing {
  /** A member is somebody of the file who is matched with an account here, or not at all. */
  kind: ImportKind | "member";
  /** Its key in the file. */
  id: string;
  /** The key of what it belongs to; "" for none. */
  parentId: string;
  value: unknown;
}

const COLLECTIONS = {
  users: "user",
  projects: "project",
  templates: "template",
  conversations: "conversation",
  signOffs: "sign-off",
  files: "file",
} as const;
const BELOW = { projects: ["tasks", "comments", "statusUpdates", "requests"], conversations: ["messages"] } as const;
const KINDS = {
  tasks: "task",
  comments: "comment",
  statusUpdates: "status update",
  requests: "request",
  messages: "message",
} as const;
const PATHS = [
  "$",
  "$.*",
  "$.users.*",
  "$.signOffs.*",
  "$.templates.*",
  "$.files.*",
  ...Object.entries(BELOW).flatMap(([above, belows]) => [
    `$.${above}.*`,
    ...belows.flatMap((below) => [`$.${above}.*.${below}`, `$.${above}.*.${below}.*`]),
  ]),
];

/**
 * Reads an import file (contract.md, "Import file") a chunk at a time: what lies below something comes before it. Collections that
 * are not imported come whole. Throws ImportFileError.
 */
export function readImportFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ImportRecord[]> {
  return readJsonParts(chunks, { paths: PATHS, partOf: recordOf });
}

/** The record at a way of keys; null for what only holds records, once its shape is right. */
function recordOf(way: string[], value: unknown): ImportRecord | null {
  const [collection = "", id = "", belowName, belowId] = way;
  if (way.length === 0) return requireObject(value, "the file holds no JSON object");
  if (collection === "generator" && value === GENERATOR) return { kind: "own-export" };
  if (!isCollection(collection)) return { kind: "left-out", note: noteOf(storable(collection), value) };
  if (way.length === 1) return requireObject(value, `"${collection}" is no object`);
  if (way.length === 3)
    return requireObject(value, `"${belowName}" of ${collection.slice(0, -1)} "${id}" is no object`);
  const hasBelow = collection === "projects" || collection === "conversations";
  const below = hasBelow ? BELOW[collection].find((one) => one === belowName) : undefined;
  if (belowId !== undefined && below) {
    return { kind: KINDS[below], id: storable(belowId), parentId: storable(id), value };
  }
  return { kind: COLLECTIONS[collection], id: storable(id), parentId: "", value };
}

function isCollection(name: string): name is keyof typeof COLLECTIONS {
  return Object.hasOwn(COLLECTIONS, name);
}

function requireObject(value: unknown, complaint: string): null {
  // Null stands for a collection that is missing.
  if (typeof value !== "object" || Array.isArray(value)) throw new ImportFileError(complaint);
  return null;
}

function noteOf(collection: string, value: unknown): ImportNote {
  const count = typeof value === "object" && value !== null ? Object.keys(value).length : null;
  const held = count === null ? value : `${count} entries`;
  return unmatched<string>(
    { kind: "collection", id: collection },
    collection,
    held,
    "nothing of that name is imported",
  );
}

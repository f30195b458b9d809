import type { RequestColumns } from "@db/rows";
import type { File } from "./files";
import type { Person } from "./people";
import type { ProjectName } from "./projects";
import type { Turn } from "./turns";

/** What the firm asked back, or the client answered. */
export interface RequestReply {
  authorId: string;
  text: string;
  createdAt: string;
}

/** What a client asks for in a project, as one reader sees it. */
export interface Request extends Omit<RequestColumns, "turnSince" | "changeSeq" | "clientRequestId"> {
  /** Those of the request itself, in their order. */
  files: File[];
  /** Oldest first. */
  thread: RequestReply[];
  turn: Turn;
  project: ProjectName;
  /** The project's client. */
  client: Person | null;
  /** Everybody whom it names by id: author, who decided, who wrote in its thread. */
  people: Person[];
  /** `HBP-12`, of the task that it became; null once that is gone. */
  taskKey: string | null;
  /** What the request that it repeats is called. */
  duplicateOfTitle: string | null;
  /** Where its message stands, for those who take part in that conversation. */
  conversationId: string | null;
  /** Whether the reader may accept, ask back, decline or mark as duplicate, while it is new or asked. */
  canDecide: boolean;
  /** Whether the reader may answer in its thread, while it is new or asked. */
  canAnswer: boolean;
}

/** How many wait: of those that the reader may decide about, or for clients of their own. */
export interface RequestCounts {
  /** For the firm to decide, also because the client may not answer what was asked back. */
  new: number;
  /** For the client to answer. */
  asked: number;
}

/** A request that is new or has changed, as it is now. Null: one or more, unknown which: read the lists again. */
export interface RequestChange {
  request: Request | null;
}

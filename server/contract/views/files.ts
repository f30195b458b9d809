import type { FileColumns } from "@db/rows";

/**
 * An uploaded file. `type` is what its bytes show, not what its name says. Pictures with a `width` have a thumbnail; both
 * measures are as the picture is shown.
 */
export interface File
  extends Omit<
    FileColumns,
    | "hash"
    | "thumbnailHash"
    | "uploadedBy"
    | "attachedAt"
    | "projectId"
    | "taskId"
    | "commentId"
    | "messageId"
    | "requestId"
    | "position"
  > {
  /** Who uploaded it. */
  createdBy: string;
}

/** A file in the list of a project or a task. */
export interface ListedFile extends File {
  /** It belongs to the request that became the task, and can't be removed from the task. */
  isOfRequest: boolean;
}

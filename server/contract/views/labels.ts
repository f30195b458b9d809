import type { LabelColumns } from "@db/rows";

/** A label of the organisation, for tasks of any project. */
export interface Label extends Omit<LabelColumns, "createdAt"> {}

/** Labels have changed: all that the caller sees, as they are now, by name. */
export interface LabelChange {
  labels: Label[];
}

/** What a label's deletion concerns. */
export interface LabelUsage {
  /** On so many tasks it is. */
  tasks: number;
}

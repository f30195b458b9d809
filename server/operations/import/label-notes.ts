import { MAX_LABELS } from "../../contract/task-labels";
import type { Take } from "./fields";
import { type Subject, unmatched } from "./notes";

/** Notes that there is no room for a label, where it is met first. */
export type LabelNotes = (subject: Subject, name: string) => void;

/** Each label is noted once, in capitals or not. */
export function createLabelNotes(take: Take): LabelNotes {
  const noted = new Set<string>();
  return (subject, name) => {
    const key = name.toLowerCase();
    if (noted.has(key)) return;
    noted.add(key);
    take(unmatched(subject, "labels", name, `there are at most ${MAX_LABELS} labels`));
  };
}

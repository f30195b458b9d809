import type { LabelColour } from "@db/enums";
import { type CreateLabel, createLabelSchema } from "../../contract/task-labels";
import { codePoints } from "../../contract/text";
import { changed, type ImportNote, type Subject, storable, unmatched } from "./notes";

const MAX_NAME = 40;
const MAX_ON_TASK = 20;
/** Ours of Trello's, each of which is there in a lighter and a darker shade as well. */
const COLOURS: Readonly<Record<string, LabelColour>> = {
  green: "green",
  lime: "green",
  blue: "blue",
  sky: "blue",
  purple: "blue",
  yellow: "orange",
  orange: "orange",
  red: "red",
  pink: "red",
};

/** A label of a card; one without a name goes by its colour. */
export interface TrelloLabel {
  name: string;
  color: string | null;
}

/** The labels of a card as a task's. `known` are those of the cards before: what becomes of a label is noted once. */
export function labelsOf(
  labels: readonly TrelloLabel[],
  { subject, known }: { subject: Subject; known: Set<string> },
): { labels: CreateLabel[]; notes: ImportNote[] } {
  const notes: ImportNote[] = [];
  const taken = new Map<string, CreateLabel>();
  for (const { name: given, color } of labels) {
    const shade = (color ?? "").replace(/_(light|dark)$/, "");
    const whole = storable(given).replace(/\s+/g, " ").trim() || shade;
    const name = codePoints(whole) > MAX_NAME ? [...whole].slice(0, MAX_NAME).join("").trim() : whole;
    const read = createLabelSchema.safeParse({ name, colour: COLOURS[shade] ?? "grey" } satisfies CreateLabel);
    const why = read.success ? `a task has at most ${MAX_ON_TASK} labels` : "it has neither a name nor a colour";
    const key = name.toLowerCase();
    if (!read.success || (taken.size === MAX_ON_TASK && !taken.has(key))) {
      notes.push(unmatched(subject, "labels", given || color, why));
      continue;
    }
    if (!taken.has(key)) taken.set(key, read.data);
    if (known.has(key)) continue;
    known.add(key);
    const { colour } = read.data;
    if (name !== whole) notes.push(changed(subject, "labels", { from: whole, to: name, why: "a name has at most 40" }));
    if (colour !== shade)
      notes.push(changed(subject, "labels", { from: color, to: colour, why: `labels have no such colour: ${name}` }));
  }
  return { labels: [...taken.values()], notes };
}

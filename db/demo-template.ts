import type { Tx } from "./client";
import type { COMMIT_MODES } from "./client-enums";
import type { DemoPersonName } from "./demo-people";
import type { DemoLabelName } from "./demo-project-shape";
import type { TaskPriority } from "./enums";
import { projectTemplates } from "./schema";

interface DemoTemplateTask {
  title: string;
  description: string;
  dueAfterDays: number | null;
  priority?: TaskPriority;
  labels?: DemoLabelName[];
  checklist?: string[];
  by: DemoPersonName[];
}

/** What each website of the demo organisation begins with. */
const TASKS: DemoTemplateTask[] = [
  {
    title: "Kick-off with the client",
    description: "Who decides, who tests, and by when.",
    ...{ dueAfterDays: 2, priority: "high", by: ["mitali"] },
    checklist: ["Names and numbers", "Words that must not appear", "Who signs off"],
  },
  {
    title: "Page list and texts",
    description: "Every page with its purpose in one sentence.",
    ...{ dueAfterDays: 9, labels: ["Waiting for the client"], by: ["mitali"] },
  },
  {
    title: "Design of three pages",
    description: "Start, a list and a form; phone first.",
    ...{ dueAfterDays: 16, labels: ["Design"], by: ["rohan"] },
  },
  {
    title: "Build and test",
    description: "On two phones and an old laptop.",
    ...{ dueAfterDays: 35, by: ["rohan", "farhan"] },
    checklist: ["Keyboard only", "Slow network", "Print"],
  },
  { title: "Hand over", description: "Access, backups, a page of instructions.", dueAfterDays: 42, by: ["mitali"] },
];

/** The template of the demo organisation. */
export async function seedTemplate(
  tx: Tx,
  { idOf, labelIds }: { idOf: (name: DemoPersonName) => string; labelIds: ReadonlyMap<string, string> },
): Promise<void> {
  const commitMode: (typeof COMMIT_MODES)[number] = "titles";
  const tasks = TASKS.map(({ by, labels = [], checklist = [], priority = "none", ...task }) => ({
    ...{ ...task, priority, checklist },
    labelIds: labels.flatMap((name) => labelIds.get(name) ?? []),
    assignedTo: by.map(idOf),
  }));
  const content = {
    description: "A website of up to ten pages, from the first meeting to the handover.",
    ...{ projectType: "Website", dueAfterDays: 45, commitMode, maskedWords: [], tasks },
    ...{ clientCollaboration: true, statusReminder: true },
    ...{ assignedTo: [idOf("rohan"), idOf("farhan")], managers: [idOf("mitali")] },
  };
  await tx.insert(projectTemplates).values({ title: "Website in six weeks", content, createdBy: idOf("asha") });
}

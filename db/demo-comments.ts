import { and, eq } from "drizzle-orm";
import type { Tx } from "./client";
import type { DemoPersonName } from "./demo-people";
import type { Visibility } from "./enums";
import { makeComments } from "./factories";
import { projects, tasks } from "./schema";

/** What the people of the demo say about their work: of a project, or of its task of that number. Oldest first. */
interface DemoDiscussion {
  projectKey: string;
  taskNumber: number | null;
  /** `mentions`: it begins with that person's mention. */
  comments: { by: DemoPersonName; mentions?: DemoPersonName; text: string; visibility: Visibility; hoursAgo: number }[];
}

const DEMO_DISCUSSIONS: DemoDiscussion[] = [
  {
    projectKey: "HBP",
    taskNumber: 1,
    comments: [
      {
        by: "rohan",
        text: "The week view is on the test server. Arrows move a berth, **Enter** opens it.",
        visibility: "client",
        hoursAgo: 50,
      },
      {
        by: "meera",
        text: "Looks right. On a narrow phone the last two letters of long boat names are cut.",
        visibility: "client",
        hoursAgo: 46,
      },
      {
        by: "asha",
        mentions: "rohan",
        text: "can this go in before the gate login? Half a day, I think:\n\n- wrap names after 18 characters\n- the full name in the title",
        visibility: "team",
        hoursAgo: 45,
      },
      {
        by: "rohan",
        text: "Yes, today. I will check it with `Shri Ganesh Prasad II`.",
        visibility: "team",
        hoursAgo: 44,
      },
      { by: "rohan", text: "Long names wrap now, please look once more.", visibility: "client", hoursAgo: 20 },
    ],
  },
  {
    projectKey: "HBP",
    taskNumber: null,
    comments: [
      {
        by: "asha",
        text: "We will show you the payment screens on Thursday at 11.",
        visibility: "client",
        hoursAgo: 70,
      },
      { by: "meera", text: "Thursday suits us. The harbour master joins.", visibility: "client", hoursAgo: 66 },
      {
        by: "mitali",
        text: "Retries will not be in by then; we will show them with the test card.",
        visibility: "team",
        hoursAgo: 64,
      },
    ],
  },
];

/** Inserts them, some hours before the seed. */
export async function seedComments(tx: Tx, idOf: (name: DemoPersonName) => string): Promise<void> {
  for (const { projectKey, taskNumber, comments } of DEMO_DISCUSSIONS) {
    const [about] = await tx
      .select({ projectId: projects.id, taskId: tasks.id })
      .from(projects)
      .leftJoin(tasks, and(eq(tasks.projectId, projects.id), eq(tasks.number, taskNumber ?? 0)))
      .where(eq(projects.key, projectKey));
    if (!about) throw new Error(`the demo has no project ${projectKey}`);
    await makeComments(tx, {
      ...about,
      comments: comments.map(({ by, mentions, text, hoursAgo, visibility }) => ({
        authorId: idOf(by),
        text: mentions ? `@[](person:${idOf(mentions)}) ${text}` : text,
        mentions: mentions ? [idOf(mentions)] : [],
        visibility,
        createdAt: new Date(Date.now() - hoursAgo * 3_600_000),
      })),
    });
  }
}

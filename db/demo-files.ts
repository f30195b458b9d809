import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Tx } from "./client";
import type { DemoPersonName } from "./demo-people";
import { CUT_NAMES, WEEK_VIEW } from "./demo-pictures";
import type { Visibility } from "./enums";
import { comments, discussions, files, messages, projects, tasks } from "./schema";
import { columnsOf } from "./writes";

/** What has to lie in the file store before rows name it. */
export interface DemoContent {
  /** SHA-256 in hexadecimal. */
  hash: string;
  bytes: Uint8Array;
}

interface DemoFile {
  name: string;
  by: DemoPersonName;
  hoursAgo: number;
  content: { text: string } | { picture: string; width: number; height: number };
  /** A project, its task of that number, a comment of either with that text; or a chat message with it. */
  place:
    | { projectKey: string; taskNumber: number | null; commentText?: string; visibility: Visibility }
    | { messageText: string };
}

const DEMO_FILES: DemoFile[] = [
  {
    ...{ name: "Week view.webp", by: "rohan", hoursAgo: 20 },
    content: { picture: WEEK_VIEW, width: 480, height: 300 },
    place: {
      ...{ projectKey: "HBP", taskNumber: 1, visibility: "client" },
      commentText: "Long names wrap now, please look once more.",
    },
  },
  {
    ...{ name: "Berths.csv", by: "meera", hoursAgo: 75 },
    content: {
      text: "Berth,Length (m),Draught (m)\nA 1,12,2.4\nA 2,12,2.4\nA 3,18,3.1\nB 1,30,4.5\nB 2,18,3.1\nB 3,9,1.8\n",
    },
    place: { projectKey: "HBP", taskNumber: 1, visibility: "client" },
  },
  {
    ...{ name: "Long names.txt", by: "rohan", hoursAgo: 44 },
    content: { text: "Shri Ganesh Prasad II\nRatnagiri Harbour Tug\nमालवण राणी\n" },
    place: { projectKey: "HBP", taskNumber: 1, visibility: "team" },
  },
  {
    ...{ name: "Review on Thursday.md", by: "asha", hoursAgo: 65 },
    content: {
      text: "# Review, Thursday at 11\n\n1. Week view and day sheet\n2. Payment with the test card\n3. What the gate needs first\n",
    },
    place: { projectKey: "HBP", taskNumber: null, visibility: "client" },
  },
  {
    ...{ name: "Test cards.txt", by: "mitali", hoursAgo: 64 },
    content: {
      text: "Succeeds: any card number that ends in 01\nDeclined: one that ends in 02\nSecond try succeeds: 03\n",
    },
    place: { projectKey: "HBP", taskNumber: null, visibility: "team" },
  },
  {
    ...{ name: "On my phone.webp", by: "meera", hoursAgo: 27 },
    content: { picture: CUT_NAMES, width: 270, height: 480 },
    place: { messageText: "Long names are fine on the tablet. On my phone the last two letters are cut." },
  },
];

/** What the rows of `seedFiles` name. */
export function demoContents(): DemoContent[] {
  return DEMO_FILES.map(contentOf);
}

function contentOf({ content }: DemoFile): DemoContent {
  const bytes = "text" in content ? Buffer.from(content.text) : Buffer.from(content.picture, "base64");
  return { hash: createHash("sha256").update(bytes).digest("hex"), bytes };
}

/** Inserts the files of what is there already: projects, tasks, comments and messages. */
export async function seedFiles(tx: Tx, idOf: (name: DemoPersonName) => string): Promise<void> {
  for (const file of DEMO_FILES) {
    const { hash, bytes } = contentOf(file);
    const { content } = file;
    const isPicture = "picture" in content;
    const at = new Date(Date.now() - file.hoursAgo * 3_600_000);
    await tx.insert(files).values(
      columnsOf(files, {
        ...{ name: file.name, hash, size: bytes.byteLength, uploadedBy: idOf(file.by), createdAt: at, attachedAt: at },
        ...(isPicture
          ? { type: "image/webp", width: content.width, height: content.height, thumbnailHash: hash }
          : { type: "text/plain" }),
        ...(await placeOf(tx, file)),
      }),
    );
  }
}

async function placeOf(tx: Tx, { name, place }: DemoFile) {
  if ("messageText" in place) {
    const [message] = await tx
      .select({ messageId: messages.id })
      .from(messages)
      .where(eq(messages.text, place.messageText));
    return found(message, name);
  }
  const { projectKey, taskNumber, commentText, visibility } = place;
  const [subject] = await tx
    .select({ projectId: projects.id, taskId: tasks.id })
    .from(projects)
    .leftJoin(tasks, and(eq(tasks.projectId, projects.id), eq(tasks.number, taskNumber ?? 0)))
    .where(eq(projects.key, projectKey));
  const { projectId, taskId } = found(subject, name);
  if (commentText === undefined) return { projectId, taskId, visibility };
  const [comment] = await tx
    .select({ commentId: comments.id })
    .from(comments)
    .innerJoin(discussions, eq(discussions.id, comments.discussionId))
    .where(and(eq(discussions.projectId, projectId), eq(comments.text, commentText)));
  return { projectId, taskId, visibility, ...found(comment, name) };
}

function found<Row>(row: Row | undefined, name: string): Row {
  if (!row) throw new Error(`the demo has no place for ${name}`);
  return row;
}

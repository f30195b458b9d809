/*
 * Hands a file in with a comment on a task, such as a nightly build's report, and prints what its account is notified of afterwards:
 * answers, mentions, assignments. Started again with the same file and day, it hands in nothing twice.
 *
 *   SANGAM_URL=https://sangam.example SANGAM_API_KEY=sgm_… npx tsx hand-in.ts HBP-3 report.txt
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, type Comment, createClient, type File, type Notification } from "sangam/client";

export interface Place {
  url: string;
  apiKey: string;
}

/** Uploads bytes under a name. Until the file is attached it is its uploader's alone. */
export async function upload({ url, apiKey }: Place, { name, bytes }: { name: string; bytes: Buffer }): Promise<File> {
  const answer = await fetch(`${url}/api/files?name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: new Uint8Array(bytes),
  });
  // A refusal says why: { message, reason }, such as too-large.
  if (!answer.ok) throw new Error((await answer.json()).message);
  return answer.json();
}

/** Comments on the task of that key with the file, for the team, once for each content and day. */
export async function handIn(
  client: Client,
  { place, taskKey, name, bytes, day }: { place: Place; taskKey: string; name: string; bytes: Buffer; day: string },
): Promise<Comment> {
  const { id: taskId } = await client.tasks.byKey.query({ key: taskKey });
  const clientCommentId = keyOf(`${taskId} ${name} ${day}`, bytes);
  const { items } = await client.comments.list.query({ subject: { taskId }, limit: 200 });
  const earlier = items.find((comment) => comment.clientCommentId === clientCommentId);
  if (earlier) return earlier;
  const { id } = await upload(place, { name, bytes });
  return client.comments.create.mutate({
    subject: { taskId },
    text: `${name} of ${day}`,
    visibility: "team",
    clientCommentId,
    fileIds: [id],
  });
}

/** Tells of each notification, those that were waiting first, and marks it as read. Returns how to stop. */
export function followNotifications(
  client: Client,
  { onNotification, onTrouble }: { onNotification: (one: Notification) => void; onTrouble: (error: unknown) => void },
): { stop(): void } {
  const seen = new Set<string>();
  const show = (notification: Notification) => {
    if (seen.has(notification.id)) return;
    seen.add(notification.id);
    onNotification(notification);
    client.notifications.markRead.mutate({ ids: [notification.id] }).catch(onTrouble);
  };
  const stream = client.notifications.onChange.subscribe(undefined, {
    onData: ({ notification }) => notification && show(notification),
    // What came while nobody listened is in the list.
    onStarted: () =>
      void client.notifications.list
        .query({ unreadOnly: true })
        .then(({ items }) => items.reverse().forEach(show), onTrouble),
    onError: onTrouble,
  });
  return { stop: () => stream.unsubscribe() };
}

/** The same for the same content: a repeated call is known by it. */
function keyOf(subject: string, bytes: Buffer): string {
  const hex = createHash("sha256").update(subject).update(bytes).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { SANGAM_URL: url = "", SANGAM_API_KEY: apiKey = "" } = process.env;
  const [taskKey = "", path = ""] = process.argv.slice(2);
  const client = createClient({ url, apiKey });
  const day = new Date().toISOString().slice(0, 10);
  await handIn(client, { place: { url, apiKey }, taskKey, name: basename(path), bytes: await readFile(path), day });
  followNotifications(client, {
    onNotification: ({ kind, title, actor }) => console.log([kind, title, actor?.name].filter(Boolean).join(": ")),
    onTrouble: console.error,
  });
}

import { randomUUID } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { UserRow } from "../../db/factories";
import { notifications, tasks } from "../../db/schema";
import { createTestCallers, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { makeNotificationRows, type NotificationRows } from "../test/notification-rows";

let database: TestDatabase;
let callers: TestCallers;
let rohan: UserRow;
let mitali: UserRow;
let projectId: string;
let taskId: string;
let send: NotificationRows["send"];

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
});
afterAll(() => database.close());
beforeEach(async () => {
  ({ rohan, mitali, projectId, taskId, send } = await makeNotificationRows(database));
});

describe("other modules", () => {
  describe("settle what no longer holds of a task, for everybody, and mail nothing of it", () => {
    /** Day and sentence of what is unread about the task, as it would be mailed. */
    const unread = async () => {
      const { kind, details, readAt, mailDueAt } = notifications;
      const rows = await database.db
        .select({ kind, details, readAt, mailDueAt })
        .from(notifications)
        .where(eq(notifications.taskId, taskId));
      expect(rows.filter((row) => row.readAt && row.mailDueAt)).toEqual([]);
      return rows.flatMap((row) => (row.readAt ? [] : `${row.kind} ${row.details}`)).toSorted();
    };
    const deadlines = ["due-soon 2026-11-26", "overdue 2026-11-26"];
    beforeEach(async () => {
      await database.db.update(tasks).set({ dueDate: "2026-11-26" }).where(eq(tasks.id, taskId));
      for (const kind of ["due-soon", "overdue"] as const) await send(kind, { details: "2026-11-26" });
      expect(await unread()).toEqual(deadlines);
    });

    test("its due day once it is completed, by a tick or in an edit", async () => {
      const caller = await callers.as(rohan);
      await caller.tasks.setCompleted({ taskId, completed: true });
      expect(await unread()).toEqual([]);
      await caller.tasks.setCompleted({ taskId, completed: false });
      await send("overdue", { details: "2026-11-26" });
      expect(await unread()).toEqual(["overdue 2026-11-26"]);
      await caller.tasks.update({ taskId, patch: { status: "completed" } });
      expect(await unread()).toEqual([]);
    });

    test("its due day once that is later or none; an earlier one leaves it overdue", async () => {
      const caller = await callers.as(rohan);
      const edit = (dueDate: string | null) => caller.tasks.update({ taskId, patch: { dueDate } });
      await edit("2026-11-25");
      expect(await unread()).toEqual(["overdue 2026-11-26"]);
      await edit("2026-11-27");
      expect(await unread()).toEqual([]);
      for (const kind of ["due-soon", "overdue"] as const) await send(kind, { details: "2026-11-27" });
      await edit(null);
      expect(await unread()).toEqual([]);
    });

    test("nothing where another field changes, the day stays, or another task is completed", async () => {
      const caller = await callers.as(rohan);
      await caller.tasks.update({ taskId, patch: { title: "Ebb", dueDate: "2026-11-26", assignedTo: [mitali.id] } });
      const other = await caller.tasks.create({ projectId, title: "Other", description: "Words" });
      await caller.tasks.setCompleted({ taskId: other.id, completed: true });
      await caller.tasks.setCompleted({ taskId, completed: false });
      expect(await unread()).toEqual(deadlines);
    });

    test("that somebody was given it, once they are taken off it; whoever stays keeps theirs", async () => {
      const caller = await callers.as(rohan);
      for (const recipient of [mitali, rohan])
        await database.db.insert(notifications).values({
          ...{ userId: recipient.id, kind: "assigned", cause: randomUUID(), projectId, taskId, mailDueAt: new Date() },
          details: recipient.name,
        });
      await caller.tasks.update({ taskId, patch: { assignedTo: [mitali.id, rohan.id] } });
      expect(await unread()).toEqual([`assigned ${mitali.name}`, `assigned ${rohan.name}`, ...deadlines]);
      await caller.tasks.update({ taskId, patch: { assignedTo: [rohan.id] } });
      expect(await unread()).toEqual([`assigned ${rohan.name}`, ...deadlines]);
    });
  });

  describe("settle what no longer holds of a project, for everybody, and mail nothing of it", () => {
    const edit = async (patch: object) => {
      const caller = await callers.as(rohan);
      const { version } = await caller.projects.byId({ projectId });
      await caller.projects.update({ projectId, version, patch });
    };
    /** What is unread of the project and its task, as it would be mailed. */
    const unread = async () => {
      const { kind, details, taskId: task, readAt, mailDueAt } = notifications;
      const rows = await database.db
        .select({ kind, details, task, readAt, mailDueAt })
        .from(notifications)
        .where(inArray(kind, ["due-soon", "overdue", "assigned"]));
      expect(rows.filter((row) => row.readAt && row.mailDueAt)).toEqual([]);
      return rows
        .flatMap((row) => (row.readAt ? [] : `${row.task ? "task" : "project"} ${row.kind} ${row.details}`))
        .toSorted();
    };
    const ofTask = ["task due-soon 2026-11-26", "task overdue 2026-11-26"];
    const deadlines = ["project due-soon 2026-11-26", "project overdue 2026-11-26", ...ofTask];
    beforeEach(async () => {
      await database.sql`update projects set due_date = '2026-11-26', start_date = '2020-01-01'`;
      for (const ofProject of [true, false])
        for (const kind of ["due-soon", "overdue"] as const) await send(kind, { ofProject, details: "2026-11-26" });
      expect(await unread()).toEqual(deadlines);
    });

    test.each(["completed", "on-hold", "cancelled"] as const)(
      "its due day and those of its tasks once it is %s",
      async (status) => {
        await edit({ status });
        expect(await unread()).toEqual([]);
      },
    );

    test("its own due day once that is later or none; an earlier one leaves it overdue", async () => {
      await edit({ dueDate: "2026-11-25" });
      expect(await unread()).toEqual(["project overdue 2026-11-26", ...ofTask]);
      await edit({ dueDate: "2026-11-27" });
      expect(await unread()).toEqual(ofTask);
      for (const kind of ["due-soon", "overdue"] as const) await send(kind, { ofProject: true, details: "2026-11-27" });
      await edit({ dueDate: null });
      expect(await unread()).toEqual(ofTask);
    });

    test("that somebody was given it or a task of it, once they are taken off it; whoever stays keeps theirs", async () => {
      for (const recipient of [mitali, rohan])
        for (const task of [taskId, null])
          await database.db.insert(notifications).values({
            ...{ userId: recipient.id, kind: "assigned", cause: randomUUID(), projectId, taskId: task },
            ...{ mailDueAt: new Date(), details: recipient.name },
          });
      await edit({ assignedTo: [rohan.id] });
      const kept = [`project assigned ${rohan.name}`, `task assigned ${rohan.name}`];
      expect(await unread()).toEqual([...kept, ...deadlines].toSorted());
      await edit({ assignedTo: [rohan.id, mitali.id] });
      const { items } = await (await callers.as(mitali)).notifications.list({ unreadOnly: true });
      const given = items.filter(({ kind }) => kind === "assigned");
      expect(given).toMatchObject([{ actor: { id: rohan.id }, details: null, subject: { projectId } }]);
    });

    test("nothing where another field changes, the day stays, or it goes on in another status", async () => {
      await edit({ title: "Quay", dueDate: "2026-11-26" });
      await edit({ status: "inProgress" });
      await edit({ status: "todo" });
      expect(await unread()).toEqual(deadlines);
    });
  });
});

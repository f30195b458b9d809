import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { UserRow } from "../../db/factories";
import { notifications, requests } from "../../db/schema";
import { openRequestBench } from "../test/request-bench";

const bench = await openRequestBench();
const { database, callers, asha, rohan, mitali, meera, karan } = bench;
const { newProject, api, create, newRequest, notificationsOf, fields } = bench;

describe("notifications", () => {
  test("go to admins and managers for the firm to move, and to the client for what the firm did", async () => {
    const { id: requestId } = await newRequest();
    const firm = [asha.id, rohan.id].sort();
    const waiting = async () => (await notificationsOf("request", requestId)).filter(({ readAt }) => readAt === null);
    expect((await waiting()).map(({ userId }) => userId).sort()).toEqual(firm);
    await (await api(rohan)).askBack({ requestId, text: "Which harbours?" });
    expect(await waiting()).toEqual([]);
    await (await api(meera)).answer({ requestId, text: "All three." });
    expect((await waiting()).map(({ userId, details }) => `${userId} ${details}`).sort()).toEqual(
      firm.map((id) => `${id} answered`),
    );
    await (await api(meera)).answer({ requestId, text: "And the two in the south." });
    const said = (await notificationsOf("request", requestId)).map(({ details }) => details);
    expect(said.filter((step) => step === "added")).toHaveLength(firm.length);
    await (await api(asha)).decline({ requestId, reason: "Not yet." });
    expect(await waiting()).toEqual([]);
    expect(
      (await notificationsOf("request-decided", requestId)).map(({ userId, details }) => [userId, details]),
    ).toEqual([
      [meera.id, "asked"],
      [meera.id, "declined"],
    ]);
    const { items } = await (await callers.as(meera)).notifications.list({});
    expect(items.find(({ subject }) => subject.requestId === requestId)).toMatchObject({
      kind: "request-decided",
      title: fields.title,
      subject: { projectId: expect.any(String), requestId },
    });
  });

  test("of a question are read by who answers it, and are not mailed then; others and a decision are not touched", async () => {
    const { id: projectId } = await newProject({ clientPeople: [karan.id] });
    const [first, second] = [await create(meera, projectId), await create(meera, projectId)];
    for (const { id: requestId } of [first, second])
      await (await api(rohan)).askBack({ requestId, text: "Which harbours?" });
    const unread = async () => {
      const rows = await database.db.select().from(notifications).where(eq(notifications.projectId, projectId));
      return rows.flatMap(({ kind, userId, requestId, details, readAt, mailDueAt }) => {
        if (kind !== "request-decided" || readAt) return [];
        expect(mailDueAt).not.toBeNull();
        return `${userId === meera.id ? "Meera" : "Karan"} ${requestId === first.id ? "first" : "second"} ${details}`;
      });
    };
    expect((await unread()).sort()).toEqual([
      ...["Karan first asked", "Karan second asked", "Meera first asked", "Meera second asked"],
    ]);
    await (await api(meera)).answer({ requestId: first.id, text: "All three." });
    expect((await unread()).sort()).toEqual(["Karan first asked", "Karan second asked", "Meera second asked"]);
    await (await api(rohan)).decline({ requestId: first.id, reason: "Not yet." });
    expect(await unread()).toContain("Meera first declined");
  });
});

describe("counts and streams", () => {
  test("count what waits: for managers of their projects, for clients of their own", async () => {
    const countsOf = async (who: UserRow) => (await api(who)).counts();
    const before = await Promise.all([asha, rohan, mitali, meera, karan].map(countsOf));
    const { id: requestId } = await newRequest();
    const moved = async (who: UserRow, at: number) => {
      const now = await countsOf(who);
      return [now.new - (before[at]?.new ?? 0), now.asked - (before[at]?.asked ?? 0)];
    };
    expect(await Promise.all([asha, rohan, mitali, meera, karan].map(moved))).toEqual([
      [1, 0],
      [1, 0],
      [0, 0],
      [1, 0],
      [0, 0],
    ]);
    await (await api(asha)).askBack({ requestId, text: "Which?" });
    expect(await moved(rohan, 1)).toEqual([0, 1]);
  });

  test("bring each request as it is new or has changed to those who see it, as they see it", async () => {
    const project = await newProject();
    const own = (await (await api(meera)).onChange())[Symbol.asyncIterator]();
    const foreign = (await (await api(karan)).onChange())[Symbol.asyncIterator]();
    const made = await create(meera, project.id);
    expect((await own.next()).value).toEqual({ request: made });
    await (await api(asha)).askBack({ requestId: made.id, text: "Which?" });
    expect((await own.next()).value).toEqual({ request: await (await api(meera)).byId({ requestId: made.id }) });
    const theirs = await newProject({ clientId: karan.id });
    const other = await create(karan, theirs.id);
    expect((await foreign.next()).value).toEqual({ request: other });
    await own.return?.();
    await foreign.return?.();
  });

  test("say that others changed in a gap in the notifications, also when one that is named comes with it or after it", async () => {
    const project = await newProject();
    const stream = (await (await api(meera)).onChange())[Symbol.asyncIterator]();
    const store = async (title: string) => {
      const row = { projectId: project.id, title, text: "Please.", createdBy: meera.id };
      const [made] = await database.db.insert(requests).values(row).returning({ id: requests.id });
      return made?.id ?? "";
    };
    await store("In the gap");
    const requestId = await store("Named");
    const notifyOfNamed = () => callers.hub.deliver({ subject: `request:${requestId}`, topics: ["requests"] });
    notifyOfNamed();
    callers.hub.resyncAll();
    expect((await stream.next()).value).toMatchObject({ request: { id: requestId } });
    expect((await stream.next()).value).toEqual({ request: null });
    await store("In another gap");
    notifyOfNamed();
    expect((await stream.next()).value).toMatchObject({ request: { id: requestId } });
    callers.hub.resyncAll();
    expect((await stream.next()).value).toEqual({ request: null });
    await stream.return?.();
  });
});

import { expect, test } from "vitest";
import { makeProject, makeUser } from "../../db/factories";
import { refusal } from "./caller";
import { createTestCaller } from "./test-caller";

/* The examples of docs/testing.md. */

test("a caller acts as its person on a database that nobody else sees", async () => {
  await using rohan = await createTestCaller({ name: "Rohan" });
  await using other = await createTestCaller({ accountType: "admin" });
  const project = await makeProject(rohan.db, { createdBy: rohan.user.id, title: "Harbour" });
  expect(await rohan.caller.projects.byId({ projectId: project.id })).toMatchObject({
    title: "Harbour",
    canEdit: true,
  });
  expect(await other.caller.projects.list({ scope: "all" })).toMatchObject({ items: [] });
});

test("a refusal is read as it would leave the server", async () => {
  await using rohan = await createTestCaller();
  const project = await makeProject(rohan.db, { createdBy: rohan.user.id });
  const stranger = await rohan.as(await makeUser(rohan.db));
  expect(await refusal(stranger.projects.byId({ projectId: project.id }))).toMatchObject({ code: "NOT_FOUND" });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { makeProject, makeUser } from "../../db/factories";
import { createTestCallers, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
});
afterAll(() => database.close());

test("the team is everyone active, with e-mails of the firm's people only and the projects that one may see", async () => {
  const { db } = database;
  const rohan = await makeUser(db, { name: "Rohan Shah" });
  const asha = await makeUser(db, { name: "Asha Kulkarni", accountType: "admin" });
  const meera = await makeUser(db, { name: "Meera Rao", accountType: "client" });
  await makeUser(db, { name: "Nikhil Patil", accountStatus: "pending" });
  await makeUser(db, { name: "Ravi Bhatt", accountStatus: "inactive" });
  const shared = await makeProject(db, { createdBy: rohan.id, clientId: meera.id, title: "Beta", managers: [asha.id] });
  const second = await makeProject(db, { createdBy: rohan.id, title: "alpha" });
  const hidden = await makeProject(db, { createdBy: asha.id, clientId: meera.id, title: "Gamma" });

  const seen = await (await callers.as(rohan)).users.team();
  expect(seen.map(({ name }) => name)).toEqual(["Asha Kulkarni", "Meera Rao", "Rohan Shah"]);
  const [theAdmin, theClient, theUser] = seen;
  expect(theAdmin).toMatchObject({ email: asha.email, projects: [{ id: shared.id, title: "Beta" }] });
  expect(theClient).toMatchObject({ email: null, projects: [{ id: shared.id, title: "Beta" }] });
  expect(theUser?.projects.map(({ title }) => title)).toEqual(["alpha", "Beta"]);
  expect(theUser?.projects.map(({ id }) => id)).toEqual([second.id, shared.id]);
  expect(Object.keys(theUser ?? {}).sort()).toEqual([
    "accountType",
    "email",
    "id",
    "name",
    "profileImgLink",
    "projects",
  ]);

  const forAdmin = await (await callers.as(asha)).users.team();
  expect(forAdmin.find(({ id }) => id === meera.id)?.projects.map(({ id }) => id)).toEqual([shared.id, hidden.id]);
});

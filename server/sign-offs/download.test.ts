import { afterAll, beforeAll, expect, test } from "vitest";
import { makeProject, makeSession, makeTask, makeUser, type UserRow } from "../../db/factories";
import { makeSignOff } from "../../db/sign-off-factory";
import { signOffPdfPath } from "../contract/sign-off-pdf";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { type LiveServer, startLiveServer } from "../test/live-server";
import { sessionCookie } from "../test/session-cookie";

let database: TestDatabase;
let server: LiveServer;
let people: Record<"asha" | "rohan" | "meera" | "kabir", UserRow>;
let path: string;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startLiveServer(database);
  const { db } = database;
  people = {
    asha: await makeUser(db, { accountType: "admin" }),
    rohan: await makeUser(db, { name: "दीपा 日本" }),
    meera: await makeUser(db, { accountType: "client", name: "Meera Rao" }),
    kabir: await makeUser(db, { accountType: "client" }),
  };
  const { rohan, meera } = people;
  const title = "Harbour → ₹ 3,000 🚢 👍🏽";
  const { id: projectId } = await makeProject(db, { createdBy: rohan.id, clientId: meera.id, key: "HBP", title });
  for (const at of Array.from({ length: 70 }, (_, index) => index + 1))
    await makeTask(db, { projectId, createdBy: rohan.id, title: `Task ${at} கட்டணம்` });
  const { id } = await makeSignOff(db, { projectId, signerId: meera.id, askedBy: rohan.id });
  path = signOffPdfPath(id);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

async function fetchAs(person: UserRow | null, { to = path, method = "GET" } = {}): Promise<Response> {
  const headers = new Headers();
  if (person) {
    const { token } = await makeSession(database.db, { userId: person.id });
    headers.set("cookie", sessionCookie(token));
  }
  return fetch(`${server.base}${to}`, { method, headers });
}

test("a sign-off is a PDF for whoever may read it, and kept by nobody on the way", async () => {
  const expectHeaders = ({ status, headers }: Response) => {
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="sign-off-HBP-[\d-]+\.pdf"$/);
    expect(headers.get("cache-control")).toBe("no-store");
  };
  const answer = await fetchAs(people.meera);
  expectHeaders(answer);
  const text = Buffer.from(await answer.arrayBuffer()).toString("latin1");
  expect(text.slice(0, 5)).toBe("%PDF-");
  expect(text.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(2);
  // Letters that the first font lacks are of the other.
  expect(text).toMatch(/\/FontName \/[A-Z]+\+NotoSans/);
  expect(text).toMatch(/\/FontName \/[A-Z]+\+Unifont/);
  expect(text).toMatch(/\/FontName \/[A-Z]+\+NotoEmoji/);
  // The same checks, without a document that takes a second to draw.
  for (const person of [people.asha, people.rohan]) expectHeaders(await fetchAs(person, { method: "HEAD" }));
});

test("others are refused as by the procedure, and HEAD draws nothing", async () => {
  const unknown = signOffPdfPath("00000000-0000-4000-8000-000000000000");
  expect((await fetchAs(null)).status).toBe(401);
  expect((await fetchAs(people.kabir)).status).toBe(404);
  expect((await fetchAs(people.asha, { to: unknown })).status).toBe(404);
  expect((await fetchAs(people.asha, { to: signOffPdfPath("1234") })).status).toBe(404);
  const head = await fetchAs(people.meera, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inquiries } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { createLogger } from "../core/logger";
import { createLimits } from "../core/rate-limit";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { type LiveServer, startLiveServer } from "../test/live-server";
import { receiveForm } from "./form";

let database: TestDatabase;
let server: LiveServer;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startLiveServer(database);
});
beforeEach(() => database.sql`truncate inquiries, rate_limits cascade`);
afterAll(async () => {
  await server.close();
  await database.close();
});

const typed = {
  kind: "contact",
  name: " Leela Nair ",
  email: "leela@harbour.example",
  company: "",
  subject: "project",
  message: "We need a booking portal.\r\nBy March.",
};
const manual = { method: "POST", redirect: "manual" } as const;
const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${server.base}/contact`, {
    ...manual,
    headers,
    body: new URLSearchParams(fields),
  });
const receive = (form: Record<string, unknown>, options: { multiplier?: number } = {}) =>
  receiveForm(
    {
      db: database.db,
      limits: createLimits({ sql: database.sql, multiplier: options.multiplier ?? 0 }),
      contactEmail: null,
      address: "192.0.2.1",
      logger: createLogger({ level: "silent" }),
    },
    form,
  );
const stored = () => database.db.select().from(inquiries);

describe("a form that was sent without JavaScript", () => {
  test("is stored by the same rules and leads back to its page", async () => {
    const answer = await post(typed);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/?sent=1#contact"]);
    expect(await stored()).toMatchObject([
      {
        kind: "contact",
        name: "Leela Nair",
        company: null,
        subject: "project",
        message: "We need a booking portal.\nBy March.",
      },
    ]);
    const applied = await post({
      kind: "application",
      name: "Farhan Ali",
      email: "farhan@college.example",
      phone: "+91 98200 12345",
      programme: "training",
      note: "",
    });
    expect(applied.headers.get("location")).toBe("/careers?sent=1#apply");
    expect(await stored()).toHaveLength(2);
  });

  test("again within the hour is the same inquiry, later or with other content another one", async () => {
    const answers = await Promise.all([post(typed), post(typed), post(typed)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await post(typed)).status).toBe(303);
    expect(await stored()).toHaveLength(1);
    await post({ ...typed, message: "We need two booking portals." });
    expect(await stored()).toHaveLength(2);
    await database.sql`update inquiries set created_at = created_at - interval '61 minutes'`;
    await post(typed);
    await post(typed);
    expect(await stored()).toHaveLength(3);
  });

  test("with bad input comes back with every word and an error for each field", async () => {
    const bad = { ...typed, email: "leela", subject: "gossip", message: " " };
    const answer = await receive(bad);
    expect(answer).toMatchObject({
      isSent: false,
      status: 400,
      state: {
        values: { name: " Leela Nair ", email: "leela", subject: "gossip", message: " " },
        fieldErrors: { subject: MESSAGES.inquiries.subjectRequired, message: MESSAGES.inquiries.messageRequired },
      },
    });
    expect((await post(bad)).status).toBe(400);
    expect(await stored()).toEqual([]);
  });

  test.each([
    ["nothing at all", {}],
    ["a kind that does not exist", { kind: "love-letter" }],
    ["a file in place of a text", { ...typed, name: new File(["x"], "name.txt") }],
    ["what PostgreSQL cannot store", { ...typed, name: "Le\u0000ela" }],
    ["half a character", { ...typed, message: "\ud800" }],
    ["too much", { ...typed, message: "x".repeat(5_001) }],
  ])("with %s is rejected with a sentence", async (_what, form) => {
    const answer = await receive(form);
    if (answer.isSent) throw new Error("it was sent");
    expect(answer.status).toBe(400);
    expect(Object.values(answer.state.fieldErrors ?? {}).join("")).not.toBe("");
  });

  test("filled in by a program is answered like any other and kept nowhere", async () => {
    expect((await post({ ...typed, website: "https://spam.example" })).status).toBe(303);
    expect(await stored()).toEqual([]);
  });

  test("after ten in an hour comes back whole, with the reason and when to try again", async () => {
    for (let at = 0; at < 10; at += 1) expect((await receive(typed, { multiplier: 1 })).isSent).toBe(true);
    const refused = await receive(typed, { multiplier: 1 });
    expect(refused).toMatchObject({ isSent: false, status: 429, state: { values: { name: " Leela Nair " } } });
    expect(refused.isSent || refused.state.problem).toBe(
      `${MESSAGES.general.tooMany} Try again in about an hour. ${MESSAGES.general.typedIsKept}`,
    );
    expect(refused.isSent || refused.retryAfterSeconds).toBeGreaterThan(0);
  });

  test("counts together with what is sent by the API", async () => {
    const limited = await startLiveServer({ ...database, env: { rateLimitMultiplier: 0.2 } });
    const { company: _none, ...json } = typed;
    const call = () =>
      fetch(`${limited.base}/api/trpc/inquiries.submit`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ json }),
      });
    const plain = () => fetch(`${limited.base}/contact`, { ...manual, body: new URLSearchParams(typed) });
    const answers = [await call(), await plain(), await call(), await plain()].map(({ status }) => status);
    await limited.close();
    expect(answers).toEqual([200, 303, 429, 429]);
    expect(await stored()).toHaveLength(2);
  });

  test("that cannot be stored comes back whole, and is no crash", async () => {
    const broken = await createTestDatabase();
    await broken.close();
    const answer = await receiveForm(
      {
        db: broken.db,
        limits: { check: async () => {}, consume: async () => {}, giveBack: async () => {}, sweep: async () => {} },
        contactEmail: null,
        address: "192.0.2.1",
        logger: createLogger({ level: "silent" }),
      },
      typed,
    );
    expect(answer).toMatchObject({
      isSent: false,
      status: 503,
      state: { values: { message: "We need a booking portal.\nBy March." } },
    });
  });

  test("from another site, of another type or too large is refused before it is read", async () => {
    expect((await post(typed, { origin: "https://evil.example" })).status).toBe(403);
    expect((await post(typed, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await post(typed, { "content-type": "application/json" })).status).toBe(415);
    expect((await post({ ...typed, message: "x".repeat(300_000) })).status).toBe(413);
    expect((await post({}, { "content-type": "multipart/form-data; boundary=none" })).status).toBe(400);
    expect(await stored()).toEqual([]);
  });
});

test("the form's address, opened by itself, leads to the form", async () => {
  const answer = await fetch(`${server.base}/contact`, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/#contact"]);
});

import { expect, test } from "vitest";
import { CONNECTION_LIMITS, createConnectionLimits } from "./connection-limits";

const OFFICE = "203.0.113.1";
const REFUSED = { code: "TOO_MANY_REQUESTS", reason: "too-many-connections", retryAfterSeconds: expect.any(Number) };

test("the limits are those of access.md", () => {
  expect(CONNECTION_LIMITS).toEqual({
    sockets: { perPerson: 40, perAddress: 1_000 },
    eventStreams: { perPerson: 100, perAddress: 2_000 },
    withoutSession: 100,
  });
});

test.each([
  ["sockets", 60, 10, 600],
  ["sockets", 60, 20, 1_000],
  ["eventStreams", 60, 20, 1_200],
  ["eventStreams", 60, 40, 2_000],
] as const)("of the %s of an office of %i people with %i each, %i are open", (kind, people, each, open) => {
  const counter = createConnectionLimits()[kind];
  let opened = 0;
  for (let at = 0; at < people * each; at += 1) {
    try {
      counter.admit({ address: OFFICE, isClaimed: true }).setOwner(`person-${at % people}`);
      opened += 1;
    } catch (error) {
      expect(error).toMatchObject(REFUSED);
    }
  }
  expect(opened).toBe(open);
  expect(() => counter.admit({ address: "203.0.113.2", isClaimed: true })).not.toThrow();
});

test("connections without a session are 100 of an address, of both kinds together, and leave room for the others", () => {
  const { sockets, eventStreams } = createConnectionLimits();
  for (let at = 0; at < 60; at += 1) sockets.admit({ address: OFFICE, isClaimed: false });
  for (let at = 0; at < 40; at += 1) eventStreams.admit({ address: OFFICE, isClaimed: true }).setOwner(null);
  expect(caught(() => sockets.admit({ address: OFFICE, isClaimed: false }))).toMatchObject(REFUSED);
  expect(caught(() => eventStreams.admit({ address: OFFICE, isClaimed: true }).setOwner(null))).toMatchObject(REFUSED);
  sockets.admit({ address: OFFICE, isClaimed: true }).setOwner("rohan");
});

test("a connection that turns out to be somebody's is no longer one without a session", () => {
  const { sockets } = createConnectionLimits();
  for (let at = 0; at < 300; at += 1) sockets.admit({ address: OFFICE, isClaimed: false }).setOwner(`person-${at}`);
});

test("what is released is free again, once", () => {
  const { sockets } = createConnectionLimits();
  const open = Array.from({ length: 40 }, () => sockets.admit({ address: OFFICE, isClaimed: true }));
  for (const connection of open) connection.setOwner("rohan");
  const late = sockets.admit({ address: OFFICE, isClaimed: true });
  expect(caught(() => late.setOwner("rohan"))).toMatchObject(REFUSED);
  open[0]?.release();
  open[0]?.release();
  late.setOwner("rohan");
  // Found out too late.
  open[0]?.setOwner("rohan");
  expect(caught(() => sockets.admit({ address: OFFICE, isClaimed: true }).setOwner("rohan"))).toMatchObject(REFUSED);
});

function caught(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

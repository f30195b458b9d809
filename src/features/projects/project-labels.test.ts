import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Person } from "@server/contract/views";
import { expect, test } from "vitest";
import { blankForm } from "./project-form-values";
import { describeField } from "./project-labels";

const person = (id: string, name: string): Person => ({ id, name, accountType: "user", profileImgLink: null });
const KNOWN = {
  people: [person("r", "Rohan Shah"), person("m", "Mitali Deshpande")],
  clients: [person("k", "Konkan Ports")],
};
const describe = (field: Parameters<typeof describeField>[0], values: object) =>
  describeField(field, { ...blankForm(), ...values }, KNOWN);

test("ids, days and statuses read as text", () => {
  expect(describe("managers", { managers: ["m", "r"] })).toBe("Mitali Deshpande, Rohan Shah");
  expect(describe("clientId", { clientId: "k" })).toBe("Konkan Ports");
  expect(describe("dueDate", { dueDate: "2026-12-12" })).toBe("12 Dec 2026");
  expect(describe("status", { status: "on-hold" })).toBe("On Hold");
  expect(describe("title", { title: "Harbour" })).toBe("Harbour");
});

test("what is absent has a word too, and so has who is gone", () => {
  expect(describe("managers", {})).toBe("Nobody");
  expect(describe("clientId", {})).toBe(PROJECT_MESSAGES.noClient);
  expect(describe("dueDate", {})).toBe("No date");
  expect(describe("liveLink", {})).toBe("Empty");
  expect(describe("assignedTo", { assignedTo: ["x"] })).toBe(PROJECT_MESSAGES.unknownUser);
  expect(describe("clientId", { clientId: "x" })).toBe(PROJECT_MESSAGES.unknownClient);
});

import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Person } from "@server/contract/views";
import { expect, test } from "vitest";
import { blankForm } from "./project-form-values";
import { projectWords } from "./project-words";

const person = (id: string, name: string): Person => ({ id, name, accountType: "user", profileImgLink: null });
const KNOWN = {
  people: [person("r", "Rohan Shah"), person("m", "Mitali Deshpande")],
  clients: [person("k", "Konkan Ports")],
};
const words = (field: Parameters<typeof projectWords>[0], values: object) =>
  projectWords(field, { ...blankForm(), ...values }, KNOWN);

test("ids, days and statuses are told as words", () => {
  expect(words("managers", { managers: ["m", "r"] })).toBe("Mitali Deshpande, Rohan Shah");
  expect(words("clientId", { clientId: "k" })).toBe("Konkan Ports");
  expect(words("dueDate", { dueDate: "2026-12-12" })).toBe("12 Dec 2026");
  expect(words("status", { status: "on-hold" })).toBe("On Hold");
  expect(words("title", { title: "Harbour" })).toBe("Harbour");
});

test("what is absent has a word too, and so has who is gone", () => {
  expect(words("managers", {})).toBe("Nobody");
  expect(words("clientId", {})).toBe(PROJECT_MESSAGES.noClient);
  expect(words("dueDate", {})).toBe("No date");
  expect(words("liveLink", {})).toBe("Empty");
  expect(words("assignedTo", { assignedTo: ["x"] })).toBe(PROJECT_MESSAGES.unknownUser);
  expect(words("clientId", { clientId: "x" })).toBe(PROJECT_MESSAGES.unknownClient);
});

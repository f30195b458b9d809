import { PROJECT_EVENT_KINDS } from "@db/enums";
import type { FieldChange, Person, ProjectEvent } from "@server/contract/views";
import { expect, test } from "vitest";
import { actorName, describeEvent } from "./describe-event";

const PEOPLE = [person("m", "Mitali Deshpande"), person("k", "Kabir Anand"), person("f", "Farhan Qureshi")];

test("every kind of event has its sentence", () => {
  const sentences = Object.fromEntries(
    PROJECT_EVENT_KINDS.map((kind) => [kind, describeEvent(event({ kind }), PEOPLE)]),
  );
  expect(sentences).toEqual({
    "project.created": "created",
    "project.updated": "changed the project",
    "task.created": "added HBP-4 “Berth calendar”",
    "task.updated": "changed HBP-4 “Berth calendar”",
    "task.completed": "completed HBP-4 “Berth calendar”",
    "task.reopened": "reopened HBP-4 “Berth calendar”",
    "task.deleted": "deleted HBP-4 “Berth calendar”",
  });
});

const FIELDS: [FieldChange, string][] = [
  [{ field: "title", from: "Old", to: "New" }, "changed Title from “Old” to “New”"],
  [{ field: "status", from: "todo", to: "inProgress" }, "changed Status from To Do to In Progress"],
  [{ field: "status", from: "on-hold", to: "strange" }, "changed Status from On Hold to strange"],
  [{ field: "startDate", from: "2026-11-20", to: "2027-01-08" }, "changed Start date from 20 Nov 2026 to 8 Jan 2027"],
  [{ field: "dueDate", from: null, to: "2027-01-08" }, "set Due date to 8 Jan 2027"],
  [{ field: "dueDate", from: "2027-01-08", to: null }, "removed Due date 8 Jan 2027"],
  [{ field: "clientId", from: "k", to: "gone" }, "changed Client from Kabir Anand to Unknown User"],
  [{ field: "clientId", from: null, to: "k" }, "set Client to Kabir Anand"],
  [
    { field: "githubRepo", from: null, to: "https://www.github.com/sangam-demo/harbour/" },
    "set GitHub link to github.com/sangam-demo/harbour",
  ],
  [
    { field: "liveLink", from: `https://harbour.example/${"a".repeat(60)}`, to: null },
    `removed Live link harbour.example/${"a".repeat(23)}…`,
  ],
  [{ field: "projectType", from: "Internal", to: "AI" }, "changed Type from “Internal” to “AI”"],
  [{ field: "description", from: null, to: null }, "changed the description"],
  [{ field: "title", from: null, to: null }, "changed the title"],
  [{ field: "githubRepo", from: null, to: null }, "changed the GitHub link"],
  [{ field: "colour" as "title", from: "red", to: "blue" }, "changed colour from red to blue"],
  [{ field: "assignedTo", added: ["m"], removed: [] }, "assigned Mitali Deshpande"],
  [{ field: "assignedTo", added: [], removed: ["m", "gone"] }, "unassigned Mitali Deshpande and Unknown User"],
  [
    { field: "assignedTo", added: ["m", "k"], removed: ["f"] },
    "assigned Mitali Deshpande and Kabir Anand and unassigned Farhan Qureshi",
  ],
  [{ field: "priority", from: "none", to: "urgent" }, "changed Priority from None to Urgent"],
  [{ field: "clientCollaboration", from: "false", to: "true" }, "changed Client collaboration from off to on"],
  [{ field: "labels", added: ["Bug"], removed: [] }, "added the label “Bug”"],
  [{ field: "labels", added: ["A", "B"], removed: ["C"] }, "added the labels “A” and “B” and removed the label “C”"],
  [
    { field: "checklist", added: ["a", "b", "c", "d"], removed: [], checked: ["e"], unchecked: [] },
    "added “a”, “b”, “c” and 1 more to the checklist and ticked “e”",
  ],
  [
    { field: "checklist", added: [], removed: ["a"], unchecked: ["b"] },
    "removed “a” from the checklist and unticked “b”",
  ],
  [{ field: "managers", added: ["m"], removed: [] }, "added Mitali Deshpande as manager"],
  [{ field: "managers", added: [], removed: ["m", "f"] }, "removed Mitali Deshpande and Farhan Qureshi as managers"],
];

test.each(FIELDS)("%j has its sentence", (change, text) => {
  expect(describeEvent(event({ kind: "project.updated", changes: [change] }), PEOPLE)).toBe(text);
  expect(describeEvent(event({ kind: "task.updated", changes: [change] }), PEOPLE)).toBe(
    `${text} on HBP-4 “Berth calendar”`,
  );
});

test("several changes of one edit are one line", () => {
  const changes: FieldChange[] = [
    { field: "status", from: "todo", to: "inProgress" },
    { field: "description", from: null, to: null },
    { field: "assignedTo", added: ["m"], removed: [] },
  ];
  expect(describeEvent(event({ kind: "project.updated", changes }), PEOPLE)).toBe(
    "changed Status from To Do to In Progress, changed the description and assigned Mitali Deshpande",
  );
  expect(describeEvent(event({ kind: "task.completed", changes: changes.slice(0, 2) }), PEOPLE)).toBe(
    "completed HBP-4 “Berth calendar” and changed the description",
  );
});

test("a person who is gone is an Unknown User", () => {
  expect(actorName(event({ actor: null }))).toBe("Unknown User");
  expect(actorName(event({}))).toBe("Rohan Shah");
});

function event(fields: Partial<ProjectEvent>): ProjectEvent {
  return {
    id: 1,
    at: "2026-11-20T10:42:00.000Z",
    kind: "project.updated",
    project: { id: "p", key: "HBP", title: "Harbour booking portal" },
    actor: person("r", "Rohan Shah"),
    task: { id: "t", number: 4, title: "Berth calendar" },
    changes: [],
    ...fields,
  };
}

function person(id: string, name: string): Person {
  return { id, name, accountType: "user", profileImgLink: null };
}

test("titles and names from right to left keep to their place in the sentence", () => {
  const task = { id: "t", number: 4, title: "بوابة" };
  const changes: FieldChange[] = [{ field: "assignedTo", added: ["h"], removed: [] }];
  const people = [person("h", "שרה")];
  expect(describeEvent(event({ kind: "task.updated", task, changes }), people)).toBe(
    "assigned \u2068שרה\u2069 on HBP-4 “\u2068بوابة\u2069”",
  );
});

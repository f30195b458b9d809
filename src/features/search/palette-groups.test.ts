import { Circle } from "lucide-react";
import { expect, test } from "vitest";
import { describeFound, matching, paletteGroups } from "./palette-groups";

const COMMANDS = [item("command:new", "New project"), item("command:theme", "Switch to light theme")];
const PROJECT = item("project:1", "\u00c9lan ports");
const NONE = {
  commands: COMMANDS,
  projects: [],
  tasks: [],
  people: [],
  comments: [],
  messages: [],
  requests: [],
  files: [],
  project: () => undefined,
};

test("each typed word begins a word of the command, whatever the case and the order", () => {
  expect(matching(COMMANDS, "PRO new").map(({ label }) => label)).toEqual(["New project"]);
  expect(matching(COMMANDS, "ject")).toEqual([]);
  expect(matching([PROJECT], "elan")).toEqual([PROJECT]);
});

test("an empty input offers every command; words leave what they find, without empty groups", () => {
  expect(paletteGroups({ ...NONE, query: "", personId: "me" })).toEqual([{ label: "Commands", items: COMMANDS }]);
  expect(paletteGroups({ ...NONE, query: "elan", personId: "me", projects: [PROJECT] })).toEqual([
    { label: "Projects", items: [PROJECT] },
  ]);
  expect(paletteGroups({ ...NONE, query: "zzz", personId: "me" })).toEqual([]);
});

test("the counts are said in words", () => {
  const groups = [
    { label: "Projects", items: [PROJECT] },
    { label: "Tasks", items: COMMANDS },
  ];
  expect(describeFound(groups)).toBe("1 project, 2 tasks");
});

function item(value: string, label: string) {
  return { value, label, icon: Circle, onChoose: () => {} };
}

import type { SearchResults } from "@server/contract/views";
import { expect, test } from "vitest";
import { stillFound } from "./use-search";

const clinic = { id: "1", key: "CTA", title: "Clinic triage assistant" };
const seeds = { id: "2", key: "SC", title: "Seed catalogue" };
const ANSWER_TO_AG: SearchResults = {
  projects: [{ ...clinic, status: "todo" }],
  tasks: [
    { id: "t", number: 12, title: "Agent handbook", completed: false, status: "todo", project: seeds },
    { id: "u", number: 3, title: "Agree on dates", completed: false, status: "todo", project: clinic },
  ],
  people: [{ id: "p", name: "Agnes Ågren", accountType: "user", profileImgLink: null }],
  comments: [
    { id: "c", projectId: "2", taskId: null, taskNumber: null, project: seeds, excerpt: "Agents asked for a handbook" },
    { id: "d", projectId: "2", taskId: "t", taskNumber: 12, project: seeds, excerpt: "The agent handbook is out" },
  ],
  requests: [],
  messages: [{ id: "m", conversationId: "v", otherUser: { id: "p", name: "Agnes Ågren" }, excerpt: "Again, please" }],
  files: [],
};

test("an older answer offers only what holds the words of now", () => {
  const { projects, tasks, people, comments, messages } = stillFound(ANSWER_TO_AG, "agent hand");
  expect(comments.map(({ id }) => id)).toEqual(["d"]);
  expect(messages).toEqual([]);
  expect(projects).toEqual([]);
  expect(tasks.map(({ title }) => title)).toEqual(["Agent handbook"]);
  expect(people).toEqual([]);
});

test("keys and names count, whatever their case and accents", () => {
  expect(stillFound(ANSWER_TO_AG, "sc-12").tasks).toHaveLength(1);
  expect(stillFound(ANSWER_TO_AG, "cta").projects).toHaveLength(1);
  expect(stillFound(ANSWER_TO_AG, "agren").people).toHaveLength(1);
});

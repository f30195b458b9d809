import { expect, test } from "vitest";
import { parseMentions } from "../server/github/mentions";
import { DEMO_COMMITS } from "./demo-commits";
import { DEMO_PROJECTS } from "./demo-projects";

test("every demo link has commits, whose messages name just the tasks that are stored with them", () => {
  const linked = DEMO_PROJECTS.filter(({ githubRepo }) => githubRepo);
  const names = linked.map(({ githubRepo }) => githubRepo?.split("/").at(-1) ?? "");
  expect(Object.keys(DEMO_COMMITS).sort()).toEqual(names.sort());
  for (const { githubRepo, key, tasks } of linked) {
    for (const { message, tasks: named = [], closes = [] } of DEMO_COMMITS[githubRepo?.split("/").at(-1) ?? ""] ?? []) {
      const mentions = parseMentions(message);
      expect(mentions.filter((mention) => mention.closes).map(({ taskNumber }) => taskNumber)).toEqual(closes);
      expect(mentions.filter((mention) => !mention.closes).map(({ taskNumber }) => taskNumber)).toEqual(named);
      for (const { projectKey, taskNumber } of mentions) {
        expect(projectKey).toBe(key);
        expect(taskNumber).toBeLessThanOrEqual(tasks.length);
      }
    }
  }
});

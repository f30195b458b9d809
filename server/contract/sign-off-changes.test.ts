import { expect, test } from "vitest";
import { signOffChanges } from "./sign-off-changes";
import type { SignOffRecord } from "./views";

const RECORD: SignOffRecord = {
  project: { id: "project", key: "HBP", title: "Harbour" },
  question: "Is it as you want it?",
  askedBy: "rohan",
  askedAt: "2026-11-20T09:00:00.000Z",
  signer: { id: "meera", name: "Meera Rao" },
  scope: "project",
  tasks: [],
  commits: [],
  liveLink: null,
  files: ["one", "other"].map((id) => ({ id, name: "plan.pdf", size: 4, hash: id })),
};

test("of two files of one name, it is said which has gone", () => {
  const after = { ...RECORD, files: RECORD.files.slice(1) };
  expect(signOffChanges(RECORD, after)).toEqual([
    { kind: "file-removed", id: "one", name: "plan.pdf", from: null, to: null },
  ]);
});

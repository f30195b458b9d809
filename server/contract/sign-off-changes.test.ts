import { expect, test } from "vitest";
import { signOffChanges } from "./sign-off-changes";
import type { SignOffRecord } from "./views";

test("of two files of one name, it is said which has gone", () => {
  const record = { project: {}, tasks: [], commits: [], liveLink: null } as unknown as SignOffRecord;
  const [first, second] = ["one", "other"].map((id) => ({ id, name: "plan.pdf", size: 4, hash: id }));
  const before = { ...record, files: [first, second] } as SignOffRecord;
  const after = { ...record, files: [second] } as SignOffRecord;
  expect(signOffChanges(before, after)).toEqual([
    { kind: "file-removed", id: "one", name: "plan.pdf", from: null, to: null },
  ]);
});

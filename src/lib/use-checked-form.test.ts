import { expect, test } from "vitest";
import { complaintsBeside } from "./use-checked-form";

test("a complaint about what the form does not show is said beside it, once", () => {
  const found = { title: "Enter a title.", labelIds: "At most 20 labels.", fileIds: "Too many.", files: "Too many." };
  expect(complaintsBeside(["title", "labelIds"], found)).toEqual(["Too many."]);
  expect(complaintsBeside(["title", "labelIds", "fileIds", "files"], found)).toEqual([]);
});

import { describe, expect, test } from "vitest";
import { signUpSchema } from "./accounts";
import { createProjectSchema, projectFormSchema, updateProjectSchema } from "./projects";
import { completeRepoLink } from "./repo";
import { parseRepo } from "./repo-name";
import { codePoints, daySchema, textSchema } from "./text";

describe("a repository link", () => {
  test.each([
    "https://github.com/konkan/harbour",
    "https://github.com/konkan/harbour/",
    "https://github.com/konkan/harbour.git",
    "https://github.com/konkan/harbour/tree/main/src",
    "https://github.com/konkan/harbour?tab=readme#top",
    "HTTPS://GitHub.com/konkan/harbour",
  ])("%s names konkan/harbour", (link) => expect(parseRepo(link)).toEqual({ owner: "konkan", name: "harbour" }));

  test.each([
    "http://github.com/konkan/harbour",
    "https://github.com.evil.example/konkan/harbour",
    "https://evil.example/github.com/konkan/harbour",
    "https://github.com@evil.example/konkan/harbour",
    "https://user:pass@github.com/konkan/harbour",
    "https://github.com:8443/konkan/harbour",
    "https://github.com/konkan",
    "https://github.com/konkan/..",
    "https://github.com/konkan/.",
    "https://github.com/../../etc",
    "https://github.com/konkan%2Fharbour/x",
    "https://github.com/konkan/harbour/%2e%2e%2f",
    "https://github.com/konkan/harbour/../other",
    "https://github.com/-konkan/harbour",
    "https://gіthub.com/konkan/harbour",
    "https://gitlab.com/konkan/harbour",
    "konkan/harbour",
    "",
  ])("%s names none", (link) => expect(parseRepo(link)).toBeNull());

  test.each([
    ["konkan/harbour", "https://github.com/konkan/harbour"],
    ["git@github.com:konkan/harbour.git", "https://github.com/konkan/harbour"],
    ["https://example.com/a", "https://example.com/a"],
    ["one/two/three", "one/two/three"],
  ])("%s is completed to %s", (text, link) => expect(completeRepoLink(text)).toBe(link));
});

test("lengths are counted in code points", () => {
  expect(codePoints("👩‍👩‍👧‍👦")).toBe(7);
  const schema = textSchema({ max: 2, required: "empty", label: "Text" });
  expect(schema.safeParse("🌊🌊").success).toBe(true);
  expect(schema.safeParse("🌊🌊🌊").success).toBe(false);
  expect(schema.safeParse("  a  ").data).toBe("a");
});

test.each(["2026-02-29", "2026-13-01", "2026-1-1", "26-01-01", "2101-01-01", "tomorrow", "2026-01-01T00:00"])(
  "%s is no calendar day",
  (day) => expect(daySchema.safeParse(day).success).toBe(false),
);
test("2028-02-29 is one", () => expect(daySchema.safeParse("2028-02-29").success).toBe(true));

test("the form's empty fields are absent values, and the call takes the same object", () => {
  const form = {
    title: "T",
    description: "D",
    status: "todo" as const,
    startDate: "2026-11-20",
    dueDate: "",
    clientId: "",
    githubRepo: "",
    liveLink: "",
    projectType: "",
    assignedTo: [],
    managers: [],
  };
  const absent = { dueDate: null, clientId: null, githubRepo: null, liveLink: null, projectType: null };
  const withSwitch = { ...form, clientCollaboration: "off" as const };
  expect(projectFormSchema.safeParse(withSwitch).data).toMatchObject(absent);
  expect(createProjectSchema.safeParse(form).data).toMatchObject(absent);
});

test("a missing key of a patch stays missing", () => {
  const call = { projectId: "3f2b8c9e-1d2a-4b5c-8d7e-9f0a1b2c3d4e", version: 1, patch: { title: "T" } };
  expect(updateProjectSchema.safeParse(call).data?.patch).toEqual({ title: "T" });
});

test("several wrong fields of a sign-up are told together", () => {
  const wrong = signUpSchema.safeParse({
    name: "",
    email: "",
    mobile: "",
    password: "",
    confirmPassword: "",
    agreeToTerms: false,
  });
  const fields = new Set(wrong.error?.issues.map(({ path }) => path.join(".")));
  expect(fields).toEqual(new Set(["name", "email", "mobile", "password", "agreeToTerms"]));
});

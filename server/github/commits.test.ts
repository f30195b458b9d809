import { expect, test } from "vitest";
import { gitHubCommit } from "../test/github-server";
import { readCommits } from "./commits";

const source = { owner: "konkan", name: "harbour", apiUrl: "https://api.github.com" };
const read = (...commits: object[]) => readCommits(JSON.parse(JSON.stringify(commits)), source) ?? [];

test("commits come with author null, unknown fields and odd dates as what can be stored", () => {
  const odd = gitHubCommit({ author: null, date: "not a date", message: "  Title\r\n\r\nBody \u0000 \ud800 end\n" });
  const commits = read({ ...gitHubCommit(), node_id: "x" }, odd, { ...gitHubCommit(), author: {} });
  expect(commits.map(({ authorLogin }) => authorLogin)).toEqual(["rohan-shah", null, null]);
  expect(commits[1]?.message).toBe("Title\n\nBody  \ufffd end");
  expect(commits[1]?.authoredAt.getFullYear()).toBeGreaterThan(2000);
});

test("what is no commit makes the answer unreadable", () => {
  for (const odd of [{}, null, "x", { ...gitHubCommit(), sha: "../../x" }, { ...gitHubCommit(), commit: null }]) {
    expect(readCommits([gitHubCommit(), odd], source)).toBeNull();
  }
  expect(readCommits({ message: "no list" }, source)).toBeNull();
});

test("a link that does not lead to GitHub is replaced by the commit's address there", () => {
  const foreign = [
    "javascript:alert(1)",
    "https://evil.example/konkan/harbour/commit/1",
    "https://github.com.evil.example/x",
    "https://me:secret@github.com/x",
    "http://github.com/x",
    "",
    undefined,
  ];
  const commits = [gitHubCommit(), ...foreign.map((html_url) => ({ ...gitHubCommit(), html_url }))];
  expect(read(...commits).map(({ htmlUrl }) => htmlUrl)).toEqual(
    commits.map(({ sha }) => `https://github.com/konkan/harbour/commit/${sha}`),
  );
});

test("a date that nobody can have meant is no reason to stand above all others for ever", () => {
  const years = (...dates: string[]) =>
    read(...dates.map((date) => gitHubCommit({ date }))).map(({ authoredAt }) => authoredAt.getUTCFullYear());
  const thisYear = new Date().getUTCFullYear();
  const pastAndFuture = ["0000-01-01T00:00:00Z", "1901-12-13T20:45:52Z", "+275760-09-13T00:00:00Z", "2199-01-01"];
  expect(years(...pastAndFuture)).toEqual([1970, 1970, thisYear, thisYear]);
  expect(years("9999999-01-01", "", "2025-11-20T09:00:00+05:30")).toEqual([thisYear, thisYear, 2025]);
  const author = { name: "Rohan", date: "yesterday" };
  const [commit] = read({ ...gitHubCommit(), commit: { message: "", author, committer: { date: "2020-02-02" } } });
  expect(commit?.authoredAt.getUTCFullYear()).toBe(2020);
});

test("whatever a commit holds, it can be stored", () => {
  const account = { login: "rohan\u0000\ud800", avatar_url: "javascript:x" };
  const odd = {
    ...gitHubCommit({ message: `${"x".repeat(4_999)}\u{1f600}${"y".repeat(1_000_000)}` }),
    author: account,
  };
  odd.commit.author = { name: "\u0000", date: "" };
  const [commit] = read(odd);
  expect(commit).toMatchObject({
    authorName: "rohan\ufffd",
    authorLogin: "rohan\ufffd",
    authorAvatarUrl: null,
    message: `${"x".repeat(4_999)}\ufffd`,
  });
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NODE_LTS } from "./node-lts.mjs";

test("what says which Node.js to run names the LTS that the tests run under, and no other one", () => {
  const [line] = NODE_LTS.split(".");
  const named = {
    "README.md": /(\d+) is the current LTS/g,
    "scripts/release/README.md": /(\d+) is the current LTS/g,
    "docs/deploy.md": /Node\.js (\d+), the present LTS/g,
    "deploy/Dockerfile": /(?:Node\.js |node:)(\d+)/g,
    "deploy/sangam.service": /Node\.js (\d+) \(the present LTS/g,
    ".github/workflows/ci.yml": /node: \["20\.19", "(\d+)"\]/g,
  };
  for (const [file, pattern] of Object.entries(named)) {
    const lines = new Set([...readFileSync(file, "utf8").matchAll(pattern)].map(([, found]) => found));
    expect({ file, lines: [...lines] }).toEqual({ file, lines: [line] });
  }
});

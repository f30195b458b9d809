// docs/openapi.json by the recommended rules of the linters that other people use. `node scripts/lint-openapi.mjs`
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lint } from "@redocly/openapi-core";
import { Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { ROOT } from "./shell.mjs";

const file = join(ROOT, "docs", "openapi.json");

const found = await lint({ ref: file, config: await createConfig({ extends: ["recommended"] }) });
const problems = found.map(
  ({ ruleId, message, location }) => `Redocly ${ruleId}: ${message} ${location[0]?.pointer ?? ""}`,
);

const spectral = new Spectral();
spectral.setRuleset({ extends: [oas] });
for (const { code, message, path } of await spectral.run(readFileSync(file, "utf8")))
  problems.push(`Spectral ${code}: ${message} ${path.join("/")}`);

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

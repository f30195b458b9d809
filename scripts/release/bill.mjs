// What the release is made of: sbom.cdx.json (CycloneDX, by npm) and THIRD-PARTY-LICENCES.txt.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { capture, fail, ROOT } from "../shell.mjs";
import { filesBelow } from "../stamp.mjs";

const LICENCE_FILE = /^(licen[cs]e|copying|notice)(?!.*\.(js|mjs|ts)$)/i;
const RULE = "=".repeat(80);

/** Writes both, of the packages that the product needs when it runs, and of the files of PostgreSQL. Answers npm's version. */
export async function writeBill({ folder, platform, commit }) {
  const bill = JSON.parse(forPlatform(await npm(["sbom", "--omit=dev", "--sbom-format=cyclonedx"]), platform));
  const needed = reachable(bill);
  bill.components = [
    ...bill.components.filter((component) => needed.has(component["bom-ref"])),
    ...nativeFiles(folder),
  ];
  bill.dependencies = bill.dependencies.filter(({ ref }) => needed.has(ref));
  bill.metadata.timestamp = new Date(commit.seconds * 1000).toISOString();
  // npm names it after the folder in which it lies.
  bill.metadata.component.name = "sangam";
  bill.metadata.component.type = "application";
  // By what it says, instead of by chance.
  delete bill.serialNumber;
  const [a, b, c, d, e] = createHash("sha256")
    .update(JSON.stringify(bill))
    .digest("hex")
    .match(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})/)
    .slice(1);
  const whole = { ...bill, serialNumber: `urn:uuid:${a}-${b}-5${c}-8${d}-${e}` };
  writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(whole, null, 2)}\n`);
  writeFileSync(join(folder, "THIRD-PARTY-LICENCES.txt"), await licencesOf(bill.components, platform));
  return bill.metadata.tools[0].version;
}

async function npm(args) {
  const { code, output } = await capture("npm", [...args, "--loglevel=silent"]);
  // `ls` complains of what is not this platform's.
  if (code !== 0 && args[0] !== "ls") fail(`npm ${args.join(" ")} ended with ${code}: ${output}`);
  return output;
}

/** What is installed here is compiled for this machine; in the release lies what is for its platform. */
function forPlatform(text, platform) {
  return text.replace(new RegExp(`(?<=[/-])${process.platform}-${process.arch}`, "g"), platform);
}

/** What lies beside the product's own packages (left from before) is not listed. */
function reachable({ metadata, dependencies }) {
  const next = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const found = new Set();
  const visit = (ref) => {
    if (found.has(ref)) return;
    found.add(ref);
    for (const one of next.get(ref) ?? []) visit(one);
  };
  visit(metadata.component["bom-ref"]);
  return found;
}

/** The programs and libraries of PostgreSQL, by their checksums: no package says which versions they are. */
function nativeFiles(folder) {
  return filesBelow(join(folder, "node_modules"))
    .filter((file) => /\/native\/(bin|lib)\/[^/]+$/.test(file) && !lstatSync(file).isSymbolicLink())
    .map((file) => ({
      type: "file",
      name: relative(folder, file),
      hashes: [{ alg: "SHA-256", content: createHash("sha256").update(readFileSync(file)).digest("hex") }],
    }));
}

async function licencesOf(components, platform) {
  const listed = forPlatform(await npm(["ls", "--all", "--parseable", "--long", "--omit=dev"]), platform);
  const pathOf = new Map(
    listed
      .split("\n")
      .map((line) => line.split(":"))
      .map(([path, id]) => [id, path]),
  );
  const packages = components.filter((component) => component["bom-ref"] !== undefined);
  const parts = packages.map((component) => {
    const id = component["bom-ref"];
    const names = (component.licenses ?? []).map(({ license, expression }) => expression ?? license.id ?? license.name);
    const texts = licenceTexts(pathOf.get(id), platform);
    return [
      RULE,
      `${id} (${names.join(", ") || "see below"})`,
      RULE,
      "",
      texts || `It carries no text of its licence.${whereFrom(component)}`,
      "",
    ];
  });
  const own = readFileSync(join(ROOT, "scripts", "release", "postgresql-notices.txt"), "utf8");
  return `${["Sangam contains these packages, each under its own licence.", "", ...parts.flat(), own].join("\n")}`;
}

function licenceTexts(path, platform) {
  const folder = path?.replace(new RegExp(`(?<=[/-])${platform}`), `${process.platform}-${process.arch}`);
  if (folder === undefined) return "";
  const files = readdirSync(folder)
    .filter((name) => LICENCE_FILE.test(name))
    .sort();
  return files.map((name) => readFileSync(join(folder, name), "utf8").trim()).join("\n\n");
}

function whereFrom({ externalReferences = [], author }) {
  const { url } = externalReferences.find(({ type }) => type === "vcs") ?? externalReferences[0] ?? {};
  return `${author ? ` Author: ${author}.` : ""}${url ? ` See ${url}` : ""}`;
}

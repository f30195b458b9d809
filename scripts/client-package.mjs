// dist-client/: the typed client as a package of its own, with the three packages that it needs. `npm pack ./dist-client` packs it.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { node, ROOT } from "./shell.mjs";

const SOURCE = join(ROOT, "src", "client");
const OUT = join(ROOT, "dist-client");
/** All else of it is in the bundle: tRPC's client would bring its server and a compiler along. */
const DEPENDENCIES = ["eventsource", "superjson", "ws"];
/** What the package declares; the rest of the folder is how it works. */
const DECLARED = ["node", "browser", "client", "client-error", "procedures"];

process.chdir(ROOT);
rmSync(OUT, { recursive: true, force: true });
await bundle();
await declare();
cpSync(join(ROOT, "LICENSE"), join(OUT, "LICENSE"));
cpSync(join(ROOT, "node_modules", "@trpc", "client", "LICENSE"), join(OUT, "LICENSE-trpc"));
const product = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
writeFileSync(join(OUT, "package.json"), `${JSON.stringify(manifestOf(product), null, 2)}\n`);

async function bundle() {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: "warn",
    build: {
      outDir: OUT,
      target: "es2022",
      minify: false,
      copyPublicDir: false,
      lib: {
        entry: { node: join(SOURCE, "node.ts"), browser: join(SOURCE, "browser.ts") },
        formats: ["es"],
        fileName: (_format, name) => `${name}.js`,
      },
      rolldownOptions: { external: DEPENDENCIES, output: { chunkFileNames: "[name].js" } },
    },
  });
}

/** Declarations of a copy in which the generated types stand in the place of the router's. */
async function declare() {
  const folder = join(OUT, ".types");
  try {
    mkdirSync(folder, { recursive: true });
    cpSync(SOURCE, folder, { recursive: true, filter: (file) => !/\.test(-d)?\.ts$/.test(file) });
    renameSync(join(folder, "api.gen.ts"), join(folder, "api.ts"));
    const compilerOptions = {
      ...{ target: "ES2022", module: "ESNext", moduleResolution: "bundler", lib: ["ES2022", "DOM", "DOM.Iterable"] },
      ...{ strict: true, verbatimModuleSyntax: true, skipLibCheck: true, types: [] },
      ...{ declaration: true, emitDeclarationOnly: true, rootDir: ".", outDir: "out" },
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["node.ts", "browser.ts"] }));
    await node(["node_modules/typescript/bin/tsc", "-p", folder]);
    for (const name of [...DECLARED, "api"]) {
      const text = readFileSync(join(folder, "out", `${name}.d.ts`), "utf8");
      // Projects that resolve as Node.js does want the ending.
      writeFileSync(join(OUT, `${name}.d.ts`), text.replace(/(from "\.\/[\w-]+)"/g, '$1.js"'));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function manifestOf({ name, version, description, license, engines, dependencies }) {
  return {
    name,
    version,
    description: `${description} This is its typed client.`,
    license,
    private: true,
    type: "module",
    engines,
    sideEffects: false,
    exports: { "./client": { types: "./node.d.ts", browser: "./browser.js", default: "./node.js" } },
    dependencies: Object.fromEntries(DEPENDENCIES.map((one) => [one, `^${dependencies[one]}`])),
  };
}

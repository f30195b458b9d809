// What `npm pack` packs: the typed client alone, with the three packages that it needs.
// `prepack` builds dist-client/ and puts the client's package.json in the place of the product's, `postpack` puts that back.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installIfStale } from "./install.mjs";
import { fail, node, ROOT } from "./shell.mjs";

const SOURCE = join(ROOT, "src", "client");
const OUT = join(ROOT, "dist-client");
const MANIFEST = join(ROOT, "package.json");
/** The product's own package.json while the client's stands in its place; git ignores it. */
const KEPT = join(ROOT, "package.json.kept");
/** All else of it is in the bundle: tRPC's client would bring its server and a compiler along. */
const DEPENDENCIES = ["eventsource", "superjson", "ws"];
/** What the package tells of itself; the rest of the folder is how it works. */
const DECLARED = ["node", "browser", "client", "client-error", "procedures"];

const commands = {
  async prepack() {
    if (!existsSync(join(ROOT, "node_modules", "vite"))) await installIfStale();
    putBack();
    rmSync(OUT, { recursive: true, force: true });
    await bundle();
    await declare();
    cpSync(join(ROOT, "node_modules", "@trpc", "client", "LICENSE"), join(OUT, "LICENSE-trpc"));
    const own = readFileSync(MANIFEST, "utf8");
    writeFileSync(KEPT, own);
    writeFileSync(MANIFEST, `${JSON.stringify(clientManifest(JSON.parse(own)), null, 2)}\n`);
  },
  postpack: putBack,
};

process.chdir(ROOT);
const command = commands[process.argv[2]];
if (command === undefined) fail(`Usage: node scripts/client-package.mjs ${Object.keys(commands).join(" | ")}`);
await command();

/** Also after a pack that was cut off: the next one begins with the product's package.json. */
function putBack() {
  if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
}

async function bundle() {
  const { build } = await import("vite");
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

function clientManifest({ name, version, description, license, engines, exports, files, dependencies }) {
  return {
    name,
    version,
    description: `${description} This is its typed client.`,
    license,
    private: true,
    type: "module",
    engines,
    sideEffects: false,
    exports,
    files,
    dependencies: Object.fromEntries(DEPENDENCIES.map((one) => [one, `^${dependencies[one]}`])),
  };
}

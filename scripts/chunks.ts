import { relative } from "node:path";
import type { Plugin, Rolldown } from "vite";

type Build = Pick<Rolldown.PluginContext, "getModuleInfo">;

/** They stay the same through most releases. */
const REACT = /^node_modules\/(react|react-dom|scheduler)\//;
/** What only the pages behind sign-in use of them; the rest comes with the document. */
const TANSTACK = /^node_modules\/@tanstack\/(react-router|router-core|react-query|query-core)\//;
/** What comes later, by what it is for. */
const LATER_PACKAGES = Object.entries({
  overlays: /^node_modules\/(@base-ui|@floating-ui|tabbable)\//,
  validation: /^node_modules\/(zod|@hookform|@standard-schema)\//,
  drag: /^node_modules\/(@atlaskit|@babel|bind-event-listener|raf-schd)\//,
  dates: /^node_modules\/@internationalized\//,
  virtual: /^node_modules\/@tanstack\/(react-virtual|virtual-core)\//,
});
/** The index of lucide-react names every icon, so that only the code tells who uses which. */
const ICON = /^node_modules\/lucide-react\/.*\/icons\/(.+)\.m?js$/;
const ICON_INDEX = /^node_modules\/lucide-react\/.*\/lucide-react\.m?js$/;
const PUBLIC_PAGE = /^src\/features\/marketing\/([\w-]+)-page\.tsx$/;
const PUBLIC = /^(public\.html|src\/features\/marketing\/)/;
/** The pages that people open first, by their address; "_app" is the frame of all behind sign-in. */
const SHELLS = ["_app", "dashboard", "admin", "client"] as const;
const PAGES = ["login", "reset-password", "confirm-email", "signup", ...SHELLS] as const;
const ROUTE = /^src\/routes\/(.+)\.tsx\?tsr-split=component$/;
const PAGE_FILE = /^src\/routes\/(?:_app\/)?([\w-]+)(?:\/index)?\.tsx\?/;
const APP_PAGE = /^src\/routes\/_app\//;
/** Of code as it comes from the compiler; about 5 kB as it is sent, before compression. */
const SMALL_CHARACTERS = 10_000;

/** Where the loading of code begins: the two documents, the pages above, and whatever else is imported when it is wanted. */
type Root = "public" | "app" | (typeof PAGES)[number] | "later";

/** What a document begins with is what it really imports: the index of a package such as @trpc/client names far more. */
export const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  { debugName: "documents", tags: ["$initial"], name: (id, build) => documentChunk(chunkOf(id, build)) },
  { debugName: "pages", name: (id, build) => pageChunk(id, chunkOf(id, build)) },
];

/**
 * Ends the build when a name above belongs to nothing any more, and writes down which files make up each page behind the
 * app's document: its own code, its layouts', and what they import. For the document's preloads and the budgets.
 */
export function pageFiles(): Plugin {
  return {
    name: "page-files",
    generateBundle(_options, bundle) {
      const ids = [...this.getModuleIds()].map(pathOf);
      const roots = new Set(ids.map(rootOf));
      const rules = [REACT, TANSTACK, ...LATER_PACKAGES.map(([, rule]) => rule), ICON, ICON_INDEX, PUBLIC];
      const unmatched = rules.filter((rule) => !ids.some((id) => rule.test(id)));
      const missing = [...PAGES.filter((page) => !roots.has(page)), ...unmatched.map(String)];
      if (missing.length > 0) this.error(`scripts/chunks.ts names what the build does not have: ${missing.join(", ")}`);
      const source = JSON.stringify(
        Object.fromEntries([...filesOfPages(bundle)].map(([page, files]) => [page, [...files]])),
      );
      this.emitFile({ type: "asset", fileName: ".vite/pages.json", source });
    },
  };
}

/** The scripts of a page, by its address, or by its name for a public one. */
function filesOfPages(bundle: Rolldown.OutputBundle): Map<string, Set<string>> {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const fileOf = new Map(chunks.flatMap(({ fileName, moduleIds }) => moduleIds.map((id) => [pathOf(id), fileName])));
  const documentFile = (path: string) =>
    chunks
      .filter(({ facadeModuleId }) => facadeModuleId && pathOf(facadeModuleId) === path)
      .map(({ fileName }) => fileName);
  const pages = new Map<string, Set<string>>();
  for (const [path, file] of fileOf) {
    const [, name] = PUBLIC_PAGE.exec(path) ?? [];
    if (name) pages.set(name, new Set([...documentFile("public.html"), file]));
    const [, route] = ROUTE.exec(path) ?? [];
    if (!route) continue;
    const layouts = [...fileOf].filter(([other]) => route.startsWith(`${ROUTE.exec(other)?.[1]}/`));
    const known = pages.get(addressOf(route)) ?? documentFile("index.html");
    pages.set(addressOf(route), new Set([...known, ...layouts.map(([, layoutFile]) => layoutFile), file]));
  }
  for (const files of pages.values()) {
    for (const name of files) {
      const chunk = bundle[name];
      if (chunk?.type === "chunk") for (const file of chunk.imports) files.add(file);
    }
  }
  return pages;
}

/** Without frames that have no address, index pages, and parameters that may be left out. */
function addressOf(route: string): string {
  return `/${route
    .split(/[/.]/)
    .filter((part) => !/^(_|index$|\{-\$)/.test(part))
    .join("/")}`;
}

/**
 * The name of the file in which a module comes: one file for each group of first pages that have it in common. Whoever needs a
 * module needs its imports, so that no file needs one that stands below it here. Null: with its only user.
 */
function chunkOf(id: string, build: Build): string | null {
  const path = pathOf(id);
  if (REACT.test(path)) return "react";
  const ids = rootsOf(id, build);
  const roots = new Set([...ids].map(rootOf));
  const has = (...names: Root[]) => names.some((name) => roots.has(name));
  if (has("public")) {
    if (has("app", "login")) return "common";
    if (roots.size > 1) return "pieces";
    if (ids.size > 1) return "public-pages";
    return [...ids].some((root) => PUBLIC_PAGE.test(pathOf(root)) && isSmall(root, build))
      ? "public-small-pages"
      : null;
  }
  if (has("app")) return path.startsWith("node_modules/") ? "framework" : "app";
  if (has("login", "reset-password", "confirm-email")) return "auth";
  if (has("signup")) return "forms";
  const [shell, ...shells] = SHELLS.filter((name) => roots.has(name));
  if (shell) return shells.length > 0 ? "shells" : shell;
  if (ids.size <= 1 && !(APP_PAGE.test(path) && [...ids].some((root) => isSmall(root, build)))) return null;
  const [later] = LATER_PACKAGES.find(([, rule]) => rule.test(path)) ?? [];
  return later ?? (/^src\/(features|routes)\//.test(path) ? "features" : "controls");
}

function documentChunk(name: string | null): string | null {
  return name === "framework" || name === "app" ? name : null;
}

function pageChunk(id: string, name: string | null): string | null {
  if (documentChunk(name) === null) return name;
  return TANSTACK.test(pathOf(id)) ? "shells" : null;
}

function rootOf(id: string): Root {
  const path = pathOf(id);
  if (PUBLIC.test(path)) return "public";
  if (path === "index.html") return "app";
  const [, page] = PAGE_FILE.exec(path) ?? [];
  return PAGES.find((name) => name === page) ?? "later";
}

const known = new Map<string, Set<string>>();

/** The modules that are fetched by themselves and need this one from their first line. */
function rootsOf(id: string, build: Build): Set<string> {
  const found = known.get(id);
  if (found) return found;
  const roots = new Set<string>();
  const icon = ICON.exec(pathOf(id))?.[1];
  for (const at of reach(id, (module) => usersOf(module, { icon, build }), build)) {
    const module = build.getModuleInfo(at);
    if (module && (module.isEntry || module.dynamicImporters.length > 0)) roots.add(at);
  }
  known.set(id, roots);
  return roots;
}

/** Whether so little is fetched for this root alone that it goes with others. */
function isSmall(root: string, build: Build): boolean {
  if (build.getModuleInfo(root)?.isEntry) return false;
  const isOwn = (id: string) => rootsOf(id, build).size === 1 && rootsOf(id, build).has(root);
  const own = [...reach(root, ({ importedIds }) => importedIds, build)].filter(isOwn);
  return own.reduce((sum, id) => sum + (build.getModuleInfo(id)?.code?.length ?? 0), 0) < SMALL_CHARACTERS;
}

function reach(id: string, next: (module: Rolldown.ModuleInfo) => readonly string[], build: Build): Set<string> {
  const seen = new Set([id]);
  for (const at of seen) {
    const module = build.getModuleInfo(at);
    for (const one of module ? next(module) : []) seen.add(one);
  }
  return seen;
}

/** Its importers. Of an icon, in place of all that import the index, those whose code names it, unless it goes by another name. */
function usersOf(module: Rolldown.ModuleInfo, { icon, build }: { icon: string | undefined; build: Build }) {
  if (icon === undefined || !ICON_INDEX.test(pathOf(module.id))) return module.importers;
  const name = icon.replace(/(^|-)(\w)/g, (_match, _dash, letter) => letter.toUpperCase());
  const users = module.importers.filter((id) => new RegExp(`\\b${name}\\b`).test(build.getModuleInfo(id)?.code ?? ""));
  return users.length > 0 ? users : module.importers;
}

function pathOf(id: string): string {
  return relative(process.cwd(), id).replaceAll("\\", "/");
}

import { relative } from "node:path";
import type { Plugin, Rolldown } from "vite";

type Build = Pick<Rolldown.PluginContext, "getModuleInfo">;

/** The rules: folders of packages and of ours, never single files. One that no module lies in ends the build. */
export const FOLDERS = {
  /** They stay the same through most releases. */
  react: ["node_modules/react", "node_modules/react-dom", "node_modules/scheduler"],
  /** What only the pages behind sign-in use of them; the rest comes with the document. */
  tanstack: ["react-router", "router-core", "react-query", "query-core"].map(
    (name) => `node_modules/@tanstack/${name}`,
  ),
  public: ["src/features/marketing"],
  /** Start pages show it as soon as they can be used: without dialogs, and so without all that those need. */
  news: ["src/features/overview/start-page"],
  /** Whoever signs in has nothing else yet: what asks them something does not come with the actions of all pages. */
  auth: ["src/features/auth"],
  drag: ["node_modules/@atlaskit"],
  "long-lists": ["node_modules/@tanstack/react-virtual"],
  overlays: ["node_modules/@base-ui", "node_modules/@floating-ui"],
} satisfies Record<string, string[]>;
/** Packages that few need: each comes with what nobody but its users needs. */
const RARE = ["drag", "long-lists"] as const;
/** The index of lucide-react names every icon, so that only the code tells who uses which. */
const ICON = /^node_modules\/lucide-react\/.*\/icons\/(.+)\.m?js$/;
const ICON_INDEX = /^node_modules\/lucide-react\/.*\/lucide-react\.m?js$/;
const PUBLIC_PAGE = /^src\/features\/marketing\/([\w-]+)-page\.tsx$/;
/** The pages that people open first, by their address; "_app" is the frame of all behind sign-in. */
const SHELLS = ["_app", "dashboard", "admin", "client"] as const;
const PAGES = ["login", "reset-password", "confirm-email", "invitation", "signup", ...SHELLS] as const;
const ROUTE = /^src\/routes\/(.+)\.tsx\?tsr-split=component$/;
const PAGE_FILE = /^src\/routes\/(?:_app\/)?([\w-]+)(?:\/index)?\.tsx\?/;
/** The pages below one address, and what they are about: the same for each role. */
const PART = /^src\/routes\/(?:_app\/)?(?:(?:dashboard|admin|client)\/)?([a-z][\w-]*)/;
/** Below which of the first pages an address lies; what lies over any page is below none. */
const AREA = /^src\/routes\/_app\/([a-z]+)/;
/** Chunks of more than primitives and packages. */
const FEATURES = new Set<string | null>(["actions", "panels", "features", "news"]);
/** Of code as it comes from the compiler; about 5 kB as it is sent, before compression. */
const SMALL_CHARACTERS = 11_000;

/** Where the loading of code begins: the two documents, the pages above, and whatever else is imported when it is wanted. */
type Root = "public" | "app" | (typeof PAGES)[number] | "news" | "later";

/** What a document begins with is what it really imports: the index of a package such as @trpc/client names far more. */
export const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  { debugName: "documents", tags: ["$initial"], name: (id, build) => documentChunk(chunkOf(id, build)) },
  { debugName: "pages", name: (id, build) => pageChunk(id, chunkOf(id, build)) },
];

/**
 * Ends the build when a name above belongs to nothing any more, or when files need each other in a circle, and writes down
 * which files make up each page behind the app's document: its own code, its layouts', and what they import. For the
 * documents' preloads and the budgets.
 */
export function pageFiles(): Plugin {
  return {
    name: "page-files",
    moduleParsed({ id }) {
      modules.add(id);
    },
    generateBundle(_options, bundle) {
      const ids = [...this.getModuleIds()].map(pathOf);
      const roots = new Set(ids.map(rootOf));
      const missing = [...PAGES.filter((page) => !roots.has(page)), ...unmatched(ids)];
      if (missing.length > 0) this.error(`scripts/chunks.ts names what the build does not have: ${missing.join(", ")}`);
      const circles = findCircles(bundle);
      if (circles.length > 0) this.error(`scripts/chunks.ts makes files that need each other: ${circles.join(", ")}`);
      const source = JSON.stringify(
        Object.fromEntries([...filesOfPages(bundle)].map(([page, files]) => [page, [...files]])),
      );
      this.emitFile({ type: "asset", fileName: ".vite/pages.json", source });
    },
  };
}

/** The rules that none of these paths follows. */
export function unmatched(paths: readonly string[]): string[] {
  const folders = Object.values(FOLDERS).flat();
  const icons = [ICON, ICON_INDEX].filter((rule) => !paths.some((path) => rule.test(path)));
  return [...folders.filter((folder) => !paths.some((path) => path.startsWith(`${folder}/`))), ...icons.map(String)];
}

/** What is left when files that need none of the others are taken away, again and again: circles, and who needs one. */
function findCircles(bundle: Rolldown.OutputBundle): string[] {
  const files = Object.values(bundle).filter((file) => file.type === "chunk");
  const names = new Set(files.map(({ fileName }) => fileName));
  const free = () =>
    files.filter(({ fileName, imports }) => names.has(fileName) && !imports.some((one) => names.has(one)));
  for (let next = free(); next.length > 0; next = free()) for (const { fileName } of next) names.delete(fileName);
  return [...names];
}

/** The scripts of a page in the order in which they run, by its address, or by its name for a public one. */
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
  return new Map([...pages].map(([page, files]) => [page, withImports(files, bundle)]));
}

/** Those files and what they import, each after all that it needs: the order in which they run. */
function withImports(files: Iterable<string>, bundle: Rolldown.OutputBundle, all = new Set<string>()): Set<string> {
  for (const name of files) {
    const chunk = bundle[name];
    if (chunk?.type !== "chunk" || all.has(name)) continue;
    withImports(chunk.imports, bundle, all);
    all.add(name);
  }
  return all;
}

/** As in `APP_PAGES`: without frames that have no address, index pages, and parameters that may be left out. */
function addressOf(route: string): string {
  return `/${route
    .split(/[/.]/)
    .filter((part) => !/^(_|index$|\{-\$)/.test(part))
    .map((part) => part.replace(/^\$.*/, ":id"))
    .join("/")}`;
}

/**
 * The name of the file in which a module comes: one file for each group of first pages that have it in common. Whoever needs a
 * module needs its imports, so that no file needs one that stands below it here. Null: with its only user.
 */
function chunkOf(id: string, build: Build): string | null {
  const path = pathOf(id);
  if (isOf("react", path)) return "react";
  const ids = rootsOf(id, build);
  const roots = new Set([...ids].map(rootOf));
  const has = (...names: Root[]) => names.some((name) => roots.has(name));
  if (has("public")) {
    if (has("app", "login")) return "common";
    if (roots.size > 1) return "pieces";
    return ids.size > 1 || isSmall(partsOf(id, build)[0] ?? "", build) ? "public" : null;
  }
  if (has("app")) return path.startsWith("node_modules/") ? "framework" : "app";
  if (has("login", "reset-password", "confirm-email")) return "auth";
  if (has("signup", "invitation")) return "forms";
  const shells = SHELLS.filter((name) => roots.has(name));
  const [shell] = shells;
  if (shell) return shells.length > 1 || shell === "_app" || isForAll(path, ids) ? "shells" : shell;
  if (has("news")) return "news";
  return laterChunk(id, build);
}

/**
 * Of what comes after the first pages, by who needs it, from the fewest to the most: one part, the pages of one subject, the users
 * of a rare package, small parts that open over a page, any parts that do, everybody. As above, whoever needs a module needs its
 * imports, so that these are in the same file or in one for more. A small part has no file of its own: with the actions, it adds
 * nothing to the pages it opens over; without need of features, it must not bring them.
 */
function laterChunk(id: string, build: Build): string | null {
  const path = pathOf(id);
  const parts = partsOf(id, build);
  const [part = ""] = parts;
  const subject = subjectOf(part);
  if (parts.length === 1 && !isSmall(part, build)) return nameOf(part, build);
  if (subject && parts.every((one) => subjectOf(one) === subject) && !isSmall(subject, build)) return subject;
  const rare = RARE.find((name) => parts.every((one) => usersOfFolder(name, build).has(one)));
  if (rare) return rare;
  if (parts.length === 1 && !subject && needsNoFeature(part, build)) return "controls";
  if (parts.every(opensOverPage)) return parts.every((one) => isSmall(one, build)) ? "actions" : "panels";
  if (/^src\/(features|routes)\//.test(path)) return "features";
  return isOf("overlays", path) ? "overlays" : "controls";
}

/**
 * Whether what one first page begins with comes with the code of all of them, because others need it later: primitives when
 * another page needs them, the rest when what lies over any page does.
 */
function isForAll(path: string, ids: ReadonlySet<string>): boolean {
  const areas = new Set([...ids].map((root) => AREA.exec(pathOf(root))?.[1]));
  if (/^src\/(features|routes)\//.test(path)) return areas.has(undefined) || areas.size >= SHELLS.length - 1;
  return areas.size > 1;
}

function documentChunk(name: string | null): string | null {
  return name === "framework" || name === "app" ? name : null;
}

function pageChunk(id: string, name: string | null): string | null {
  if (documentChunk(name) === null) return name;
  return isOf("tanstack", pathOf(id)) ? "shells" : null;
}

function rootOf(id: string): Root {
  const path = pathOf(id);
  if (path === "public.html" || isOf("public", path)) return "public";
  if (path === "index.html") return "app";
  if (isOf("news", path)) return "news";
  const [, page] = PAGE_FILE.exec(path) ?? [];
  return PAGES.find((name) => name === page) ?? "later";
}

const modules = new Set<string>();

/**
 * The modules that are fetched by themselves and need this one from their first line. What another module needs anyway is
 * fetched with that one, even if somebody asks for it ahead of time.
 */
const rootsOf = memoized((id, build): Set<string> => {
  const icon = ICON.exec(pathOf(id))?.[1];
  const reached = reach(id, (module) => usersOf(module, { icon, build }), build);
  return new Set([...reached].filter((one) => isFetched(build.getModuleInfo(one))));
});

function isFetched(module: Rolldown.ModuleInfo | null): boolean {
  return module !== null && (module.isEntry || (module.dynamicImporters.length > 0 && module.importers.length === 0));
}

/** What belongs together when it is fetched: the pages below one address, or a single root. */
function partOf(root: string): string {
  const path = pathOf(root);
  return (ROUTE.test(path) && PART.exec(path)?.[0]) || path.replace(/\.tsx?(\?.*)?$/, "");
}

const partsOf = memoized((id, build) => [...new Set([...rootsOf(id, build)].map(partOf))]);

/** What a part's pages are about; none for what opens over a page. */
function subjectOf(part: string): string | undefined {
  return PART.exec(part)?.[1];
}

/** Behind sign-in, where all that it may need is on its way or there. */
function opensOverPage(part: string): boolean {
  return subjectOf(part) === undefined && !isOf("auth", part);
}

/** Those who need any module of these folders. */
const usersOfFolder = memoized(
  (name: keyof typeof FOLDERS, build) =>
    new Set([...modules].filter((id) => isOf(name, pathOf(id))).flatMap((id) => partsOf(id, build))),
);

/** What is fetched for one part alone, or for the pages of one subject. */
const ownOf = memoized((part, build) =>
  [...modules].filter((id) => {
    const parts = partsOf(id, build);
    return parts.length > 0 && parts.every((one) => one === part || subjectOf(one) === part);
  }),
);

/** A package is one part, of whatever size: its code comes without the space that ours has. */
function isSmall(part: string, build: Build): boolean {
  if (part.startsWith("node_modules/")) return false;
  const characters = ownOf(part, build).map((id) => build.getModuleInfo(id)?.code?.length ?? 0);
  return characters.reduce((sum, one) => sum + one, 0) < SMALL_CHARACTERS;
}

/** None of its own where the bundler finds one: for a part that is fetched by a single import. */
function nameOf(part: string, build: Build): string | null {
  const imported = ownOf(part, build).filter((id) => build.getModuleInfo(id)?.dynamicImporters.length);
  return imported.length > 1 ? (part.split("/").at(-1) ?? null) : null;
}

/** Whether a part is made of primitives and packages only, apart from its own code. */
const needsNoFeature = memoized((part, build) => {
  const own = new Set(ownOf(part, build));
  const needed = [...own].flatMap((id) => build.getModuleInfo(id)?.importedIds ?? []).filter((id) => !own.has(id));
  return needed.every((id) => !FEATURES.has(chunkOf(id, build)));
});

function isOf(name: keyof typeof FOLDERS, path: string): boolean {
  return FOLDERS[name].some((folder) => path.startsWith(`${folder}/`));
}

/** Everything is asked of each module, about many others: answers are kept. */
function memoized<Key extends string = string, Answer = unknown>(find: (key: Key, build: Build) => Answer) {
  const known = new Map<Key, Answer>();
  return (key: Key, build: Build): Answer => {
    const found = known.get(key) ?? find(key, build);
    known.set(key, found);
    return found;
  };
}

function reach(id: string, next: (module: Rolldown.ModuleInfo) => readonly string[], build: Build): Set<string> {
  const seen = new Set([id]);
  for (const at of seen) {
    const module = build.getModuleInfo(at);
    for (const one of module ? next(module) : []) seen.add(one);
  }
  return seen;
}

/** Its importers. Of an icon, in place of all that import the index, those whose code names it. */
function usersOf(module: Rolldown.ModuleInfo, { icon, build }: { icon: string | undefined; build: Build }) {
  if (icon === undefined || !ICON_INDEX.test(pathOf(module.id))) return module.importers;
  const name = new RegExp(`\\b(${namesOf(icon, module).join("|")})\\b`);
  const users = module.importers.filter((id) => name.test(build.getModuleInfo(id)?.code ?? ""));
  return users.length > 0 ? users : module.importers;
}

/** What the index calls an icon: an older name has stayed beside the present one. */
function namesOf(icon: string, index: Rolldown.ModuleInfo): string[] {
  const [, named = ""] =
    new RegExp(`export \\{([^}]*)\\} from '\\./icons/${icon}\\.m?js'`).exec(index.code ?? "") ?? [];
  return [...named.matchAll(/default as (\w+)/g)].map(([, name = ""]) => name);
}

function pathOf(id: string): string {
  return relative(process.cwd(), id).replaceAll("\\", "/");
}

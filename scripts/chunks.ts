import { relative } from "node:path";
import type { Plugin, Rolldown } from "vite";

type Build = Pick<Rolldown.PluginContext, "getModuleInfo">;

/** They stay the same through most releases. */
const REACT = /^node_modules\/(react|react-dom|scheduler)\//;
/** What only the pages behind sign-in use of them; the rest comes with the document. */
const TANSTACK = /^node_modules\/@tanstack\/(react-router|router-core|react-query|query-core)\//;
/** What comes later, by whose it is. Pages without long lists, messages, files and settings do without the code of these. */
const LATER_PACKAGES = new Map(
  Object.entries({
    overlays: /^node_modules\/(@base-ui|@floating-ui)\//,
    controls: /^node_modules\/(zod|@hookform|@standard-schema)\//,
    drag: /^node_modules\/(@atlaskit|@babel|bind-event-listener|raf-schd)\//,
    "chat-actions":
      /^src\/features\/chat\/(cover-day|hand-over|make-of-message|make-task-form|orphaned-conversations)\./,
    chat: /^src\/features\/chat\//,
    requests:
      /^src\/(features\/requests\/(?!from-request)|ui\/(reply-form|unsent-text|dotted)\.|lib\/(text-draft|use-checked-form)\.)/,
    managing:
      /^src\/features\/(status-updates\/status-update-form|projects\/commit-view-form|files\/(subject|project)-files)/,
    accounts:
      /^src\/features\/(users\/(invite-dialog|user-action-dialog|holdings-choice|use-holdings)|auth\/confirm-identity)\./,
    "sign-offs": /^(src\/features\/sign-offs\/|server\/contract\/(messages\/)?sign-off)/,
    // Start pages show it as soon as they can be used: without the dialogs behind it, and so without all that those need.
    news: /^(src\/(features\/(overview\/(?!changes-dialog)|turns\/)|lib\/use-(at-minute|next-focus)\.)|server\/contract\/messages\/overview\.|node_modules\/lucide-react\/.*\/icons\/(lightbulb|message-circle|signature)\.)/,
    "news-dialogs": /^src\/features\/(overview\/changes-dialog|findings\/(?!worth-a-look))/,
    editing:
      /^src\/features\/(labels\/(?!use-)|templates\/|projects\/(describe-event|project-history|use-history|project-labels)\.|tasks\/(task-details|task-form-values|task-fields)\.)/,
    "settings-lists":
      /^(src\/features\/(settings\/(session-list|device)\.|webhooks\/(?!use-))|server\/contract\/webhooks\.|node_modules\/bowser\/|node_modules\/lucide-react\/.*\/icons\/(globe|monitor|tablet)\.)/,
    settings:
      /^(src\/features\/(settings\/(?!session-list|device)|feeds\/|webhooks\/use-|notifications\/(notification-preferences|use-preferences|use-push))|src\/ui\/secret-list\.|server\/contract\/(notified|api-keys|messages\/(api-keys|webhooks))\.)/,
    "long-lists":
      /^(node_modules\/@tanstack\/(react-virtual|virtual-core)\/|src\/features\/projects\/project-grid-virtual)/,
    features: /^(node_modules\/@internationalized\/|src\/features\/files\/(?!upload-file))/,
  }),
);
/** The index of lucide-react names every icon, so that only the code tells who uses which. */
const ICON = /^node_modules\/lucide-react\/.*\/icons\/(.+)\.m?js$/;
const ICON_INDEX = /^node_modules\/lucide-react\/.*\/lucide-react\.m?js$/;
const PUBLIC_PAGE = /^src\/features\/marketing\/([\w-]+)-page\.tsx$/;
const PUBLIC = /^(public\.html|src\/features\/marketing\/)/;
/** The pages that people open first, by their address; "_app" is the frame of all behind sign-in. */
const SHELLS = ["_app", "dashboard", "admin", "client"] as const;
const PAGES = ["login", "reset-password", "confirm-email", "invitation", "signup", ...SHELLS] as const;
const ROUTE = /^src\/routes\/(.+)\.tsx\?tsr-split=component$/;
const PAGE_FILE = /^src\/routes\/(?:_app\/)?([\w-]+)(?:\/index)?\.tsx\?/;
/** Below which of the first pages an address lies; what lies over any page is below none. */
const AREA = /^src\/routes\/_app\/([a-z]+)/;
/** The pages below one address. */
const PART = /^src\/routes\/_app\/[a-z]+\/[a-z]+/;
/** Where a small part that is fetched by itself may go, the one that needs the others first. */
const LATER_CHUNKS = [
  "drag",
  "managing",
  "long-lists",
  "settings-lists",
  "settings",
  "accounts",
  "chat-actions",
  "chat",
  "sign-offs",
  "requests",
  "news-dialogs",
  "news",
  "editing",
  "features",
  "controls",
];
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
 * Ends the build when a name above belongs to nothing any more, or when files need each other in a circle, and writes down
 * which files make up each page behind the app's document: its own code, its layouts', and what they import. For the
 * documents' preloads and the budgets.
 */
export function pageFiles(): Plugin {
  return {
    name: "page-files",
    moduleParsed({ id }) {
      if (ROUTE.test(pathOf(id))) pages.add(id);
    },
    generateBundle(_options, bundle) {
      const ids = [...this.getModuleIds()].map(pathOf);
      const roots = new Set(ids.map(rootOf));
      const rules = [REACT, TANSTACK, ...LATER_PACKAGES.values(), ICON, ICON_INDEX, PUBLIC];
      const unmatched = rules.flatMap(alternativesOf).filter((rule) => !ids.some((id) => rule.test(id)));
      const missing = [...PAGES.filter((page) => !roots.has(page)), ...unmatched.map(String)];
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

const GROUP = /\((?!\?)((?:[^()]|\(\?![^()]*\))*)\)(\?)?/;
const ALTERNATIVE = /(?:\(\?![^()]*\)|[^|])+/g;

/** The rule once for each of its alternatives: one that matches nothing would not show in the whole rule. */
export function alternativesOf({ source }: RegExp): RegExp[] {
  const found = GROUP.exec(source);
  if (!found) return [new RegExp(source)];
  const [group, content = "", optional] = found;
  const [before, after] = [source.slice(0, found.index), source.slice(found.index + group.length)];
  const alternatives = [...(content.match(ALTERNATIVE) ?? []), ...(optional ? [""] : [])];
  const rules = alternatives.flatMap((one) => alternativesOf(new RegExp(`${before}${one}${after}`)));
  return [...new Map(rules.map((rule) => [rule.source, rule])).values()];
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
  if (REACT.test(path)) return "react";
  const ids = rootsOf(id, build);
  const roots = new Set([...ids].map(rootOf));
  const has = (...names: Root[]) => names.some((name) => roots.has(name));
  if (has("public")) {
    if (has("app", "login")) return "common";
    if (roots.size > 1) return "pieces";
    return ids.size > 1 || isSmall(ownOf(ids, build), build) ? "public" : null;
  }
  if (has("app")) return path.startsWith("node_modules/") ? "framework" : "app";
  if (has("login", "reset-password", "confirm-email")) return "auth";
  if (has("signup", "invitation")) return "forms";
  const shells = SHELLS.filter((name) => roots.has(name));
  const [shell] = shells;
  if (shell) return shells.length > 1 || shell === "_app" || isForAll(path, ids) ? "shells" : shell;
  return laterChunk(id, ids, build);
}

/** Of what comes after the first pages: a part of its own if it is large enough, else with the last of what it needs. */
function laterChunk(id: string, ids: ReadonlySet<string>, build: Build): string | null {
  const path = pathOf(id);
  const [later] = [...LATER_PACKAGES].find(([, rule]) => rule.test(path)) ?? [];
  if (later && LATER_CHUNKS.includes(later)) return later;
  const [part, ...others] = new Set([...ids].map(partOf));
  if (part === undefined || others.length > 0)
    return later ?? (/^src\/(features|routes)\//.test(path) ? "features" : "controls");
  if (part.startsWith("node_modules/")) return null;
  const own = ownOf(ids, build);
  const isOnePage = [...pages].filter((page) => partOf(page) === part).length <= 1;
  if (!isSmall(own, build)) return isOnePage ? null : (part.split("/").at(-1) ?? null);
  const needed = new Set([...own].flatMap((one) => build.getModuleInfo(one)?.importedIds ?? []));
  const names = new Set([...needed].filter((one) => !own.has(one)).map((one) => chunkOf(one, build)));
  return LATER_CHUNKS.find((name) => names.has(name)) ?? "features";
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
  return TANSTACK.test(pathOf(id)) ? "shells" : null;
}

function rootOf(id: string): Root {
  const path = pathOf(id);
  if (PUBLIC.test(path)) return "public";
  if (path === "index.html") return "app";
  const [, page] = PAGE_FILE.exec(path) ?? [];
  return PAGES.find((name) => name === page) ?? "later";
}

const pages = new Set<string>();
const known = new Map<string, Set<string>>();
const knownOwn = new Map<string, Set<string>>();

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

/** What belongs together when it is fetched: the pages below one address, or a single root. */
function partOf(root: string): string {
  const path = pathOf(root);
  return PART.exec(path)?.[0] ?? path.replace(/\.tsx?(\?.*)?$/, "");
}

function isSmall(ids: ReadonlySet<string>, build: Build): boolean {
  return [...ids].reduce((sum, id) => sum + (build.getModuleInfo(id)?.code?.length ?? 0), 0) < SMALL_CHARACTERS;
}

/** What is fetched for the part of these roots alone, and in no other file in any case. */
function ownOf(roots: ReadonlySet<string>, build: Build): Set<string> {
  const part = [...new Set([...roots].map(partOf))].join(" ");
  const found = knownOwn.get(part);
  if (found) return found;
  const all = new Set([...roots, ...[...pages].filter((page) => partOf(page) === part)]);
  const reached = new Set([...all].flatMap((root) => [...reach(root, ({ importedIds }) => importedIds, build)]));
  const isOwn = (id: string) => [...rootsOf(id, build)].every((root) => all.has(root));
  const isFree = (id: string) => !LATER_CHUNKS.some((name) => LATER_PACKAGES.get(name)?.test(pathOf(id)));
  const own = new Set([...reached].filter((id) => isOwn(id) && isFree(id)));
  knownOwn.set(part, own);
  return own;
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

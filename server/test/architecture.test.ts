import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize, relative } from "node:path";
import { expect, test } from "vitest";

/*
 * Who may import whom. Each rule says what to do instead; a failure prints file, import and remedy.
 */

interface Import {
  from: string;
  /** A path below the root without extension, or a package name. */
  to: string;
  typeOnly: boolean;
}

const ROOT = process.cwd();
/** Folders of the server that are no modules: what all of them stand on, and the commands that work on all of them. */
const GROUND = new Set(["contract", "core", "jobs", "operations", "realtime", "test"]);
const MODULES = readdirSync("server", { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !GROUND.has(entry.name))
  .map(({ name }) => name);
/** A module's files come from a closed vocabulary, so that one knows where to look; pure rules get a noun of their own. */
const MODULE_FILES = new Set([
  "acceptance.ts",
  "admin-command.ts",
  "api-keys.ts",
  "append.ts",
  "avatars.ts",
  "assignees.ts",
  "business-time.ts",
  "calendar.ts",
  "changes.ts",
  "choices.ts",
  "client.ts",
  "client-feed.ts",
  "client-settings.ts",
  "client-view.ts",
  "commits.ts",
  "comparisons.ts",
  "credentials-router.ts",
  "conditions.ts",
  "conversion.ts",
  "covers.ts",
  "csv.ts",
  "disk-store.ts",
  "download.ts",
  "email-confirmation.ts",
  "events.ts",
  "excerpts.ts",
  "export.ts",
  "failed-attempts.ts",
  "failed-keys.ts",
  "file-names.ts",
  "filters.ts",
  "first-admin.ts",
  "followers.ts",
  "form.ts",
  "google.ts",
  "history.ts",
  "html.ts",
  "identity.ts",
  "image-metadata.ts",
  "images.ts",
  "intake.ts",
  "jobs.ts",
  "json.ts",
  "key.ts",
  "key-origins.ts",
  "labels.ts",
  "library.ts",
  "linked-projects.ts",
  "links.ts",
  "list-version.ts",
  "lists.ts",
  "members.ts",
  "liveness.ts",
  "mails.ts",
  "mentions.ts",
  "mutations.ts",
  "pages.ts",
  "ownership.ts",
  "password-changes.ts",
  "passwords.ts",
  "pdf-document.ts",
  "pdf-fonts.ts",
  "pdf-process.ts",
  "pdf-text.ts",
  "person-export.ts",
  "person-reading.ts",
  "photos.ts",
  "picture-process.ts",
  "picture-work.ts",
  "policy.ts",
  "presence.ts",
  "procedures.ts",
  "processes.ts",
  "project-rows.ts",
  "push.ts",
  "queries.ts",
  "record.ts",
  "repository.ts",
  "router.ts",
  "second-step.ts",
  "settle.ts",
  "s3-store.ts",
  "session-reader.ts",
  "session-revocation.ts",
  "status.ts",
  "store.ts",
  "stores.ts",
  "subjects.ts",
  "sync-runs.ts",
  "task-columns.ts",
  "draft.ts",
  "due-window.ts",
  "texts.ts",
  "templates.ts",
  "time-zones.ts",
  "token.ts",
  "totals.ts",
  "two-factor.ts",
  "unread-mail.ts",
  "upload.ts",
  "username.ts",
  "video-metadata.ts",
  "warnings.ts",
  "webhook.ts",
]);
/** What other modules may import, besides the mutations of audit, auth, files, mail, notifications, projects and tasks. */
const ENTRY_FILES = new Set([
  "covers.ts",
  "business-time.ts",
  "events.ts",
  "failed-attempts.ts",
  "google.ts",
  "history.ts",
  "jobs.ts",
  "library.ts",
  "links.ts",
  "members.ts",
  "policy.ts",
  "presence.ts",
  "procedures.ts",
  "queries.ts",
  "repository.ts",
  "session-revocation.ts",
  "settle.ts",
  "task-columns.ts",
  "templates.ts",
  "token.ts",
]);
/** Where a module may write SQL. */
const SQL_FILES = new Set([
  "acceptance.ts",
  "api-keys.ts",
  "append.ts",
  "avatars.ts",
  "calendar.ts",
  "changes.ts",
  "choices.ts",
  "client-feed.ts",
  "client-view.ts",
  "comparisons.ts",
  "conditions.ts",
  "conversion.ts",
  "covers.ts",
  "email-confirmation.ts",
  "export.ts",
  "file-names.ts",
  "filters.ts",
  "followers.ts",
  "history.ts",
  "identity.ts",
  "jobs.ts",
  "linked-projects.ts",
  "links.ts",
  "lists.ts",
  "mails.ts",
  "list-version.ts",
  "members.ts",
  "mutations.ts",
  "ownership.ts",
  "password-changes.ts",
  "person-export.ts",
  "person-reading.ts",
  "photos.ts",
  "policy.ts",
  "project-rows.ts",
  "push.ts",
  "queries.ts",
  "repository.ts",
  "second-step.ts",
  "settle.ts",
  "subjects.ts",
  "sync-runs.ts",
  "task-columns.ts",
  "texts.ts",
  "token.ts",
  "totals.ts",
  "two-factor.ts",
  "unread-mail.ts",
]);
/** Everybody names people, writes to the audit, notifies and sends mails; the modules below import more, or less. */
const EDGES = ["users", "audit", "mail", "notifications"];
const MODULE_EDGES: Record<string, string[]> = {
  // What somebody covers ends with their account; projects show their name and picture.
  users: ["audit", "mail", "notifications", "chat", "projects"],
  // Conversations are told what became of the tasks of their messages.
  projects: ["users", "audit", "notifications", "chat", "live-links", "findings", "sign-offs"],
  // Of all that a project stands on, by the clock of the organisation.
  findings: ["projects", "organisation"],
  "live-links": [],
  // The version of a list is read in the statement that reads the session.
  tasks: ["projects", "users", "github", "auth", "notifications", "labels", "chat"],
  labels: ["projects"],
  // A message becomes a task of a project; whose turn it is counts business time.
  chat: ["users", "mail", "files", "audit", "projects", "tasks", "organisation"],
  // Who may read a file is said by what it hangs on.
  files: ["projects", "users", "chat", "audit"],
  comments: ["projects", "users", "audit", "files", "notifications"],
  // Filed by the client, of a message too, with files; what is accepted becomes a task.
  requests: ["projects", "users", "comments", "chat", "files", "tasks", "notifications", "organisation"],
  // Projects with all that their reader may see of them.
  exports: ["projects", "users", "audit", "comments", "files", "sign-offs"],
  github: ["projects", "users", "audit", "notifications"],
  // Every module writes to the audit, which reads names of people: two files of its own, so that there is no circle.
  audit: ["users"],
  mail: [],
  handovers: ["projects", "tasks", "chat", "users", "audit"],
  team: ["projects", "users"],
  // Accepting one makes an account, or approves it, and takes it into projects.
  invitations: ["auth", "projects", "users", "audit", "mail", "notifications"],
  // One stream of what the others emit.
  live: [
    "projects",
    "users",
    "chat",
    "github",
    "inquiries",
    "notifications",
    "audit",
    "labels",
    "requests",
    "findings",
  ],
  // Who may see what, names, the clock of the organisation, and its mails. Others reach it by its mutations.
  notifications: ["projects", "tasks", "users", "organisation", "mail", "webhooks"],
  // What waits and what is new, of all that a start page sums up.
  overview: ["projects", "github", "chat", "users", "organisation", "sign-offs", "requests"],
  // Events come from the notifications of them.
  webhooks: ["users", "audit"],
  feeds: ["projects"],
  "sign-offs": ["projects", "users", "audit", "notifications", "organisation"],
  // What happened since the last one, and the clock of the organisation.
  "status-updates": ["projects", "users", "notifications", "organisation"],
  search: ["projects", "users", "chat", "comments", "files"],
  templates: ["projects", "users", "labels", "audit"],
  // What the server needs to know of itself; nobody imports it but whoever runs the server.
  system: ["auth", "backups", "github", "mail", "users", "audit"],
  vitals: [],
};

const files = ["src", "server", "db"].flatMap(filesIn);
const imports = files.flatMap(importsOf);
const isTest = (path: string) => /\.test\.tsx?$/.test(path) || path.startsWith("server/test/");
const moduleOf = (path: string) => MODULES.find((name) => path.startsWith(`server/${name}/`));
const nounOf = (path: string) => /^src\/features\/([^/]+)\//.exec(path)?.[1];
const PAGES = ["marketing", "settings"];
const ENUMS = new Set(["db/enums", "db/client-enums", "db/event-kinds"]);

const RULES: { rule: string; remedy: string; breaks: (one: Import) => boolean }[] = [
  {
    rule: "db imports nothing of ours",
    remedy: "pass what it needs as an argument",
    breaks: ({ from, to }) =>
      from.startsWith("db/") && !isTest(from) && (to.startsWith("server/") || to.startsWith("src/")),
  },
  {
    rule: "the server does not import the browser's code",
    remedy: "move what both need to server/contract",
    breaks: ({ from, to }) => from.startsWith("server/") && to.startsWith("src/"),
  },
  {
    rule: "src imports of the server only its contract, and types of its router",
    remedy: "name the type in server/contract/views/, or write `import type` from server/router",
    breaks: ({ from, to, typeOnly }) =>
      from.startsWith("src/") &&
      to.startsWith("server/") &&
      !to.startsWith("server/contract/") &&
      !(to === "server/router" && typeOnly),
  },
  {
    rule: "src imports of db only its enums",
    remedy: "name the type in server/contract/views/",
    breaks: ({ from, to }) => from.startsWith("src/") && to.startsWith("db/") && !ENUMS.has(to),
  },
  {
    rule: "the contract imports zod, db/enums and types of rows only: the browser bundles it",
    remedy: "move what needs more into a module",
    breaks: ({ from, to, typeOnly }) =>
      from.startsWith("server/contract/") &&
      !isTest(from) &&
      !to.startsWith("server/contract/") &&
      to !== "zod/mini" &&
      !ENUMS.has(to) &&
      !(to === "db/rows" && typeOnly),
  },
  {
    rule: "what the browser runs takes the sentences of its own subject, not all of them",
    remedy: "import from server/contract/messages/<subject>",
    breaks: ({ from, to }) =>
      to === "server/contract/messages" &&
      !isTest(from) &&
      (from.startsWith("src/") || from.startsWith("server/contract/")),
  },
  {
    rule: "core, realtime and jobs know no module",
    remedy: "take it as a parameter; server/app.ts wires it",
    breaks: ({ from, to }) =>
      /^server\/(core|realtime|jobs)\//.test(from) && !isTest(from) && moduleOf(to) !== undefined,
  },
  {
    rule: "operations are commands of whoever runs the server: only its entry and its composition root know them",
    remedy: "move what both need into a module",
    breaks: ({ from, to }) =>
      to.startsWith("server/operations/") &&
      !/^server\/(operations\/|(index|start-up|background-jobs|app)\.ts)/.test(from) &&
      !isTest(from),
  },
  {
    rule: "modules meet through policy, procedures and queries, along the edges of house.md",
    remedy: "move the query to the module that owns the table, or declare the edge here and in house.md",
    breaks: ({ from, to }) => {
      const [here, there] = [moduleOf(from), moduleOf(to)];
      if (!here || !there || here === there || isTest(from)) return false;
      return (
        !(MODULE_EDGES[here] ?? EDGES).includes(there) ||
        !(
          ENTRY_FILES.has(`${basename(to)}.ts`) ||
          /^server\/(audit|auth|files|live-links|mail|notifications|projects|sign-offs|tasks|webhooks)\/mutations$/.test(
            to,
          )
        )
      );
    },
  },
  {
    rule: "drizzle-orm only in db, queries, mutations, policies and realtime",
    remedy: "write a query function in the module's queries.ts",
    breaks: ({ from, to }) =>
      /^drizzle-orm/.test(to) &&
      !from.startsWith("db/") &&
      !/^server\/(operations|realtime|jobs)\//.test(from) &&
      !SQL_FILES.has(basename(from)) &&
      !isTest(from),
  },
  {
    rule: "the typed client ships alone: it takes types of the server and nothing else of ours",
    remedy: "write it in src/client, and let nothing else import it but by its name, sangam/client",
    breaks: ({ from, to, typeOnly }) => {
      const [isFrom, isTo] = [from.startsWith("src/client/"), to.startsWith("src/client/")];
      // How calls are written, lists asked for again and streams kept alive is one thing for programs and for the page.
      const isShared =
        from.startsWith("src/lib/") &&
        /^src\/client\/(is-record|resuming-encoder|resuming-link|revalidating-link|transformer)$/.test(to);
      return isFrom ? /^(src|server|db)\//.test(to) && !isTo && !typeOnly : isTo && !isShared;
    },
  },
  {
    rule: "routes, then features, then ui and lib",
    remedy: "pass it down as a prop",
    breaks: ({ from, to }) =>
      (/^src\/(ui|lib)\//.test(from) && /^src\/(features|routes)\//.test(to)) ||
      (from.startsWith("src/ui/") && to.startsWith("src/lib/trpc")) ||
      (from.startsWith("src/features/") && to.startsWith("src/routes/")),
  },
  {
    rule: "nouns never import pages",
    remedy: "let the page compose the noun",
    breaks: ({ from, to }) => {
      const [here, there] = [nounOf(from), nounOf(to)];
      return (
        here !== undefined && there !== undefined && here !== there && !PAGES.includes(here) && PAGES.includes(there)
      );
    },
  },
];

test.each(RULES)("$rule", ({ remedy, breaks }) => {
  const broken = imports.filter(breaks).map(({ from, to }) => `${from} imports ${to}: ${remedy}`);
  expect(broken).toEqual([]);
});

test("files have no circles of imports: not of types either, nor of what is imported later", () => {
  const graph = new Map<string, string[]>();
  const others = ["e2e", "bench", "scripts", "docs"].flatMap(filesIn).flatMap(importsOf);
  for (const { from, to } of [...imports, ...others])
    graph.set(stripped(from), [...(graph.get(stripped(from)) ?? []), to]);
  expect(circles(graph)).toEqual([]);
});

test("a module is made of its closed vocabulary: find the file that fits, or widen the list with a reason", () => {
  const strangers = files.filter(
    (file) => moduleOf(file) && !isTest(file) && !MODULE_FILES.has(file.split("/").slice(2).join("/")),
  );
  expect(strangers).toEqual([]);
});

test("no file is called utils, helpers, types or index: say what it knows", () => {
  const allowed = /^(db\/schema\/index\.ts|server\/index\.ts|src\/routes\/.*index\.tsx)$/;
  expect(files.filter((file) => /\/(utils?|helpers?|types|index)\.tsx?$/.test(file) && !allowed.test(file))).toEqual(
    [],
  );
});

const PHRASES: { rule: string; pattern: RegExp; allowed: RegExp }[] = [
  {
    rule: "process.env is read in core/env only: add a field to Env",
    pattern: /process\.env\b/,
    allowed: /^server\/core\/env\.ts$|^db\/embedded|^server\/test\//,
  },
  {
    rule: "TRPCError is made in core only: throw a DomainError",
    pattern: /\bTRPCError\b/,
    allowed: /^server\/core\//,
  },
  {
    rule: "trpc is called in a noun's use-*.ts, in lib or in a loader: one hook file holds the cache policy",
    pattern: /\btrpc\.\w/,
    allowed: /^src\/features\/[^/]+\/use-[a-z-]+\.tsx?$|^src\/lib\/|^src\/routes\/|^src\/(app|render-app)\.tsx$/,
  },
  {
    rule: "a secret is revealed only to be sealed, sent or used",
    pattern: /\.reveal\(/,
    allowed:
      /^server\/notifications\/push\.ts$|^server\/core\/vault\.ts$|^server\/github\/client\.ts$|^server\/auth\/two-factor\.ts$|^server\/webhooks\/jobs\.ts$/,
  },
  {
    rule: "pg_notify is called in server/realtime only: a bus publishes what goes through it",
    pattern: /\bpg_notify\b/,
    allowed: /^server\/realtime\/|^server\/operations\/doctor\//,
  },
  {
    rule: "no alert, confirm or prompt of the browser: use a toast or a dialog",
    pattern: /\bwindow\.(alert|confirm|prompt)\(/,
    allowed: /^$/,
  },
  {
    rule: "no assertion of a type: make the type follow from the value",
    pattern: /\bas (any|never|unknown|string|number|bigint|boolean|object|readonly|keyof|typeof|[A-Z]\w*)\b(?! from)/,
    allowed: /^server\/test\/|\.test\.tsx?$/,
  },
];

test.each(PHRASES)("$rule", ({ pattern, allowed }) => {
  const found = files
    .filter((file) => !allowed.test(file) && !isTest(file))
    .flatMap((file) =>
      withoutComments(readFileSync(join(ROOT, file), "utf8"))
        .split("\n")
        .filter((line) => !/^\s*(import|export) /.test(line) && pattern.test(line.replace(/"[^"]*"/g, '""')))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

test("a statement that selects its notification is drizzle's, which hands it to the bus: plain SQL does not", () => {
  const found = files.filter((file) => {
    const text = withoutComments(readFileSync(join(ROOT, file), "utf8"));
    return !isTest(file) && /\bnumberedNotification\(/.test(text) && /\.execute\(\s*sql`/.test(text);
  });
  expect(found.filter((file) => !file.startsWith("server/realtime/"))).toEqual([]);
});

test("a test that changes globals does not share its modules: add it to the list in vite.config.ts", () => {
  const config = readFileSync("vite.config.ts", "utf8");
  const changing = /\bvi\.(mock|doMock|resetModules|setSystemTime|stubEnv|stubGlobal|useFakeTimers)\(|process\.chdir\(/;
  // A spy that goes after each test reaches no other file.
  const restores = /\bafterEach\([^;]*\bvi\.restoreAllMocks\(\)/;
  const isChanging = (text: string) => changing.test(text) || (/\bvi\.spyOn\(/.test(text) && !restores.test(text));
  const found = ["server", "db", "src", "scripts", "e2e/chaos"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`))
    .filter((file) => /\.test\.(ts|mjs)$/.test(file) && isChanging(readFileSync(file, "utf8")));
  expect(found.filter((file) => !config.includes(`"${file}"`))).toEqual([]);
});

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && entry.name !== "routeTree.gen.ts")
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

function importsOf(file: string): Import[] {
  const text = withoutComments(readFileSync(join(ROOT, file), "utf8"));
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^"';]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)/g,
  );
  return [...found].map(([, typeOnly, named, dynamic]) => ({
    from: file,
    to: resolved(file, named ?? dynamic ?? ""),
    typeOnly: typeOnly !== undefined,
  }));
}

function resolved(file: string, target: string): string {
  if (target.startsWith(".")) return stripped(normalize(join(dirname(file), target)));
  return stripped(
    target
      .replace(/^@\//, "src/")
      .replace(/^@server\//, "server/")
      .replace(/^@db\//, "db/"),
  );
}

function stripped(path: string): string {
  return path.replace(/\.tsx?$/, "");
}

/** Good enough for import lines and phrases: a URL's slashes in a string are left alone. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}

function circles(graph: Map<string, string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, trail: string[]): void => {
    const at = trail.indexOf(file);
    if (at >= 0) found.push([...trail.slice(at), file].join(" > "));
    if (at >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}

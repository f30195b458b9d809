import { readFileSync } from "node:fs";
import { join } from "node:path";
import { API, type Diagnostic, type Project, type Snapshot } from "typescript/unstable/sync";

/** The app, the server and the examples for the typed client, without tests: a test that has an old name fails. */
const PROJECT = "scripts/mutations/tsconfig.json";

/** What a drop leaves unused is no use of the thing. */
const UNUSED: ReadonlySet<number> = new Set([6133, 6192, 6196]);

/** The sources as the compiler sees them: files as they are on disk, except for those that a mutation has changed. Nothing is written. */
export class Workspace {
  readonly #root: string;
  readonly #api: API;
  #snapshot: Snapshot;
  readonly #changed = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
    this.#api = new API({ cwd: root, fs: { readFile: (file) => this.#changed.get(file) } });
    this.#snapshot = this.#api.updateSnapshot({ openProjects: [join(root, PROJECT)] });
  }

  /** The program with all changes. */
  project(): Project {
    const [project] = this.#snapshot.getProjects();
    if (!project) throw new Error(`${PROJECT} names no project.`);
    return project;
  }

  read(file: string): string {
    return this.#changed.get(file) ?? readFileSync(file, "utf8");
  }

  change(files: ReadonlyMap<string, string>): void {
    for (const [file, text] of files) this.#changed.set(file, text);
    this.#update([...files.keys()]);
  }

  restore(): void {
    const files = [...this.#changed.keys()];
    this.#changed.clear();
    this.#update(files);
  }

  /** What the compiler says, of all files or of some. */
  diagnostics(files?: Iterable<string>): readonly Diagnostic[] {
    const { program } = this.project();
    const all = files
      ? [...files].flatMap((file) => program.getSemanticDiagnostics(file))
      : [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()];
    return all.filter(({ code, fileName }) => fileName !== undefined && !UNUSED.has(code));
  }

  /** The files of the project itself. */
  files(): string[] {
    return this.project()
      .program.getSourceFileNames()
      .filter((file) => file.startsWith(`${this.#root}/`) && !file.includes("/node_modules/"));
  }

  close(): void {
    this.#api.close();
  }

  #update(changed: string[]): void {
    const before = this.#snapshot;
    this.#snapshot = this.#api.updateSnapshot({ fileChanges: { changed } });
    // The compiler keeps every program that is not disposed of.
    before.dispose();
  }
}

/** All that the compiler says in one complaint: what is wrong, and the reasons under it. */
export function wordsOf({ text, messageChain = [] }: Diagnostic): string {
  return [text, ...messageChain.map(wordsOf)].join("\n");
}

import type { ExportPiece } from "./export";

/** `{ exportedAt, projects: [{ …, tasks: [{ … }] }] }`, in the names of the contract, piece by piece. */
export async function* jsonOf(pieces: AsyncIterable<ExportPiece>, exportedAt: Date): AsyncGenerator<string> {
  let before = `{"exportedAt":${JSON.stringify(exportedAt)},"projects":[\n`;
  for await (const { project, tasks, isFirst, isLast } of pieces) {
    // Open at its end: the tasks follow.
    const head = isFirst ? `${before}${JSON.stringify(project).slice(0, -1)},"tasks":[` : "";
    const between = !isFirst && tasks.length > 0 ? "," : "";
    yield `${head}${between}${tasks.map((task) => JSON.stringify(task)).join(",")}${isLast ? "]}" : ""}`;
    before = ",\n";
  }
  yield before.startsWith("{") ? `${before}]}\n` : "\n]}\n";
}

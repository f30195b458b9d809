import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Draws something as HTML; null where there is no build, or nothing to draw. */
export type Renderer<Input> = (input: Input) => Promise<string | null>;

/**
 * A renderer of the build, loaded when something is drawn for the first time: a server that draws nothing never holds it. `name`
 * is the function in `dist-server/FILE.mjs`.
 */
export function builtRenderer<Input>(root: string, { file, name }: { file: string; name: string }): Renderer<Input> {
  const path = join(root, "dist-server", `${file}.mjs`);
  return async (input) => {
    if (!existsSync(path)) return null;
    const module: Record<string, unknown> = await import(/* @vite-ignore */ pathToFileURL(path).href);
    const render = module[name];
    const drawn: unknown = typeof render === "function" ? await render(input) : null;
    return typeof drawn === "string" ? drawn : null;
  };
}

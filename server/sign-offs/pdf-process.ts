import type { SignOff } from "../contract/views";
import { drawSignOff } from "./pdf-document";

/*
 * A program of its own, which `download.ts` starts: it draws one document after the other and ends with its server. Fonts are large, and a
 * text that makes them fail takes nothing else along.
 */

/** What it answers: the document, or what went wrong with it. */
export type PdfAnswer = { pdf: Uint8Array } | { fault: string };

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit());
process.on("message", (signOff: SignOff) => void answer(signOff).then((done) => process.send?.(done)));

async function answer(signOff: SignOff): Promise<PdfAnswer> {
  try {
    return { pdf: await drawSignOff(signOff) };
  } catch (error) {
    return { fault: String(error) };
  }
}

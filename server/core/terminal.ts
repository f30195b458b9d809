import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Asks on the terminal. */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

/** Asks on the terminal without showing what is typed, until the signal breaks it off. */
export async function askHidden(
  question: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<string> {
  process.stdout.write(question);
  const mute = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: mute, terminal: process.stdin.isTTY === true });
  try {
    return await terminal.question("", { signal });
  } finally {
    terminal.close();
    process.stdout.write("\n");
  }
}

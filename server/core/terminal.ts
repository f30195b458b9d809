import { createInterface, type Interface } from "node:readline/promises";
import { type Readable, Writable } from "node:stream";

/** Nobody has answered: there is no terminal, or somebody has left it. The message says what to do. */
export class NoAnswerError extends Error {}

/** Asks on the terminal. Throws NoAnswerError. */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await answerTo(terminal, { question, remedy: "start again" });
  } finally {
    terminal.close();
  }
}

/**
 * Asks on the terminal, without showing what is typed, for what a setting could have given, until the signal breaks it off. Throws
 * NoAnswerError.
 */
export async function askHidden(
  question: string,
  { setting, signal, input = process.stdin }: { setting: string; signal?: AbortSignal | undefined; input?: Readable },
): Promise<string> {
  process.stdout.write(question);
  const mute = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: mute, terminal: process.stdin.isTTY === true });
  try {
    return await answerTo(terminal, { question: "", remedy: `type it at a terminal, or set ${setting}`, signal });
  } finally {
    terminal.close();
    process.stdout.write("\n");
  }
}

async function answerTo(
  terminal: Interface,
  { question, remedy, signal }: { question: string; remedy: string; signal?: AbortSignal | undefined },
): Promise<string> {
  // At the end of its input readline leaves a question pending, and the process would end as if all were well.
  const ended = new Promise<string>((resolve, reject) => {
    terminal.once("line", resolve).once("close", reject);
  });
  try {
    return await Promise.race([terminal.question(question, { signal }), ended]);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new NoAnswerError(`Nobody has answered: ${remedy}.`);
  }
}

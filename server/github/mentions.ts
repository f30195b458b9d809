/** A task that a commit message mentions: `HBP-12`. */
export interface Mention {
  /** Upper case. */
  projectKey: string;
  taskNumber: number;
  /** The message closes the task: "fixes HBP-12". */
  closes: boolean;
}

/** A message with more is probably a list, such as a changelog. */
const MAX_MENTIONS = 50;

/** Not inside a word or a longer number; the branch name `HBP-12-receipt` does mention HBP-12. */
const KEY = /(?<![\p{L}\p{N}_-])#?([A-Za-z]{2,5}\d{0,6})-([1-9]\d{0,8})(?![\p{L}\p{N}_]|\.\d)/gu;
const CLOSING = /(?<![\p{L}\p{N}_-])(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)(?:\s*:\s*|\s+)$/iu;
/** The longest closing word plus what may stand between it and the key. */
const CLOSING_REACH = 24;
/** Git's own wording of a revert: what the quoted title closed is open again. */
const REVERTED = /^Revert "[^\n]*/;
const JOINT = /^\s*(?:,|&|,?\s*\band\b)\s*$/i;

/**
 * The tasks that a message mentions, each once and in order, whatever the case of the key. A closing word ("fixes", "closes",
 * "resolves" and their other forms) applies to every key in the list that follows it. Does not check that the tasks exist.
 */
export function parseMentions(message: string): Mention[] {
  const found = new Map<string, Mention>();
  const revertedUpTo = REVERTED.exec(message)?.[0].length ?? 0;
  let previous = { closes: false, end: 0 };
  for (const match of message.matchAll(KEY)) {
    const [whole, key = "", number = ""] = match;
    const isOpenAgain = match.index < revertedUpTo;
    const goesOn = previous.closes && JOINT.test(message.slice(previous.end, match.index));
    const isClosed = goesOn || CLOSING.test(message.slice(Math.max(0, match.index - CLOSING_REACH), match.index));
    const closes = isClosed && !isOpenAgain;
    previous = { closes, end: match.index + whole.length };
    const mention = { projectKey: key.toUpperCase(), taskNumber: Number(number), closes };
    const name = `${mention.projectKey}-${number}`;
    const known = found.get(name);
    if (known) known.closes ||= closes;
    else if (found.size < MAX_MENTIONS) found.set(name, mention);
  }
  return [...found.values()];
}

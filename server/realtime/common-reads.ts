import { type Db, perDatabase } from "../../db/client";
import { type JsonText, parseJsonText } from "../../db/expressions";
import { sharedRead } from "./stream";

/**
 * A `sharedRead` of rows, as PostgreSQL's JSON text, and what is made of them. As long as somebody holds the last answer to a
 * question and the rows are still the same, everybody is given that one object, which nobody may change: the tabs of a person
 * hold one between them.
 */
export function commonRead<Question, Row, Answer extends object>(
  read: (db: Db, question: Question) => Promise<JsonText<Row[]>>,
  { keyOf, answerOf }: { keyOf: (question: Question) => string; answerOf: (rows: Row[]) => Answer },
): (db: Db, question: Question) => Promise<Answer> {
  const heldIn = perDatabase(() => new HeldAnswers<Answer>());
  return sharedRead(async (db, question) => {
    const text = await read(db, question);
    return heldIn(db).get(keyOf(question), { text, make: () => answerOf(parseJsonText(text)) });
  }, keyOf);
}

/** The last answer to each question, as long as somebody holds it. */
class HeldAnswers<Answer extends object> {
  readonly #held = new Map<string, { text: string; answer: WeakRef<Answer> }>();
  readonly #dropped = new FinalizationRegistry<string>((key) => {
    if (this.#held.get(key)?.answer.deref() === undefined) this.#held.delete(key);
  });

  get(key: string, { text, make }: { text: string; make: () => Answer }): Answer {
    const last = this.#held.get(key);
    const held = last?.text === text ? last.answer.deref() : undefined;
    if (held) return held;
    const answer = make();
    this.#held.set(key, { text, answer: new WeakRef(answer) });
    this.#dropped.register(answer, key);
    return answer;
  }
}

/** A map that begins as one in common, and holds only what has become different since. */
export class Overlay<Key, Value extends object> {
  readonly #common: ReadonlyMap<Key, Value>;
  /** Null of what is gone. */
  #own: Map<Key, Value | null> | null = null;

  constructor(common: ReadonlyMap<Key, Value>) {
    this.#common = common;
  }

  get(key: Key): Value | undefined {
    const own = this.#own?.get(key);
    return own === undefined ? this.#common.get(key) : (own ?? undefined);
  }

  set(key: Key, value: Value): void {
    this.#own ??= new Map();
    this.#own.set(key, value);
  }

  delete(key: Key): void {
    this.#own ??= new Map();
    this.#own.set(key, null);
  }

  keys(): Key[] {
    const keys = new Set([...this.#common.keys(), ...(this.#own?.keys() ?? [])]);
    return [...keys].filter((key) => this.get(key) !== undefined);
  }
}

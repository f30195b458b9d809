import type { Db, Tx } from "./client";

/** Takes what is to be published once the transaction that emits it is committed. */
type Emit = (payload: string) => void;

const emitters = new WeakMap<object, Emit>();

/**
 * From now on what transactions of this database emit is published once they are committed, in the order in which it was first
 * emitted; what is rolled back is not. What is emitted outside of a transaction is published at once. `publish` must neither wait nor
 * throw. Call it before anything is prepared for this database (`perDatabase`).
 */
export function publishAfterCommit(db: Db, publish: Emit): void {
  emitters.set(db, publish);
  const begin: Db["transaction"] = db.transaction.bind(db);
  db.transaction = (work, config) => collecting(publish, (collectFor) => begin((tx) => work(collectFor(tx)), config));
}

/** What a database or transaction emits with; null without `publishAfterCommit`. */
export function emitterOf(scope: Db | Tx): Emit | null {
  return emitters.get(scope) ?? null;
}

/** Runs a transaction, or a part of one that may be rolled back alone, and emits what it has collected when that is kept. */
async function collecting<Result>(emit: Emit, run: (collectFor: (tx: Tx) => Tx) => Promise<Result>): Promise<Result> {
  // The same payload counts once in a transaction, as it does for PostgreSQL's own notifications.
  let collected = new Set<string>();
  const collect: Emit = (payload) => void collected.add(payload);
  const result = await run((tx) => {
    // The callback may run again from its start (prepared.ts).
    collected = new Set();
    emitters.set(tx, collect);
    const begin: Tx["transaction"] = tx.transaction.bind(tx);
    tx.transaction = (work) => collecting(collect, (collectFor) => begin((part) => work(collectFor(part))));
    return tx;
  });
  for (const payload of collected) emit(payload);
  return result;
}

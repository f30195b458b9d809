import type { Db } from "../../../db/client";
import type { Env } from "../../core/env";
import { adoptStore, describeStoreFault, findStoreFault } from "../../files/ownership";
import { createFileStore } from "../../files/stores";
import { type Finding, toDo, well } from "./finding";

const TOPIC = "files";

/** Whether the store of files answers and belongs to the database; with `adoptsStore` it does from now on. */
export async function examineStore({
  db,
  env,
  adoptsStore,
}: {
  db: Db;
  env: Env;
  adoptsStore: boolean;
}): Promise<Finding> {
  const store = createFileStore(env);
  try {
    if (adoptsStore) await adoptStore(db, store);
    const fault = await findStoreFault(db, store);
    if (fault !== null) return toDo(TOPIC, describeStoreFault(fault, store));
    return well(TOPIC, `They are in ${store.place}${adoptsStore ? ", which belongs to this database now" : ""}.`);
  } catch {
    return toDo(
      TOPIC,
      `There is no answer from ${store.place}: check S3_URL, its keys, and the way out of this network.`,
    );
  }
}

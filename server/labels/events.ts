import type { Label, LabelChange } from "../contract/views";
import { type Source, type StreamCall, sharedRead } from "../realtime/stream";
import { listLabels } from "./queries";

/** All labels that the actor sees, whenever these have changed: a client receives nothing of labels on other people's tasks. */
export function labelSource({ db, actor }: Pick<StreamCall, "db" | "actor">): Source<Label[], LabelChange> {
  return async (subscription) => {
    subscription.join("labels");
    let known = JSON.stringify(await readLabels(db, { actor }));
    return {
      read: () => readLabels(db, { actor }),
      emit(labels) {
        const before = known;
        known = JSON.stringify(labels);
        return known === before ? [] : [{ labels }];
      },
    };
  };
}

/** The same for the whole team. */
const readLabels = sharedRead(listLabels, ({ actor }) => (actor.accountType === "client" ? actor.id : ""));

import type { Company } from "./company";
import type { Random } from "./random";
import type { Tab } from "./tab";

/** Two questions, of which the client sends the later one back while the other stands: the firm owes a new question. */
export async function beginSignOffs({ tabs, projectId }: Company): Promise<void> {
  const [asking, answering] = [false, true].map((isClient) => tabs.find(({ person }) => person.isClient === isClient));
  if (!asking || !answering) return;
  const ask = () =>
    asking.page().client.signOffs.ask.mutate({ projectId, all: true, note: "Please sign off the tides." });
  await ask();
  const { id: signOffId } = await ask();
  await answering.page().client.signOffs.requestChanges.mutate({ signOffId, reason: "The tides are wrong." });
}

/** Asks the client, or takes a question back; as the client approves one, or wants changes. Of somebody who may not, nothing is changed. */
export async function actOnSignOff(
  tab: Tab,
  { projectId, random }: { projectId: string; random: Random },
): Promise<void> {
  const [asks, agrees] = [random.chance(0.75), random.chance(0.3)];
  const { signOffs } = tab.page().client;
  if (!tab.person.isClient && asks) {
    await signOffs.ask.mutate({ projectId, all: true, note: "Please sign off the tides." });
    return;
  }
  const open = await signOffs.list.query({ projectId, status: "asked" });
  if (open.length === 0) return;
  const { id: signOffId } = random.pick(open);
  if (!tab.person.isClient) await signOffs.withdraw.mutate({ signOffId });
  else if (agrees) await signOffs.approve.mutate({ signOffId });
  else await signOffs.requestChanges.mutate({ signOffId, reason: "The tides are wrong." });
}

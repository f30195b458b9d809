import type { Random } from "./random";
import type { Tab } from "./tab";

/** As the client files a request or answers one; else asks back or declines. Of somebody who may not, nothing is changed. */
export async function actOnRequest(
  tab: Tab,
  { projectId, random }: { projectId: string; random: Random },
): Promise<void> {
  const [files, asks] = [random.chance(0.4), random.chance(0.7)];
  const { requests } = tab.page().client;
  if (tab.person.isClient && files) {
    await requests.create.mutate({ projectId, title: "Tides", text: "Of the south, please.", urgency: "normal" });
    return;
  }
  const open = (await requests.list.query({ projectId })).filter(({ decidedAt }) => decidedAt === null);
  if (open.length === 0) return;
  const { id: requestId } = random.pick(open);
  if (tab.person.isClient) await requests.answer.mutate({ requestId, text: "All of them." });
  else if (asks) await requests.askBack.mutate({ requestId, text: "Which?" });
  else await requests.decline.mutate({ requestId, reason: "Not this year." });
}

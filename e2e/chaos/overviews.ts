import { setTimeout as sleep } from "node:timers/promises";
import type { SignOff } from "@server/contract/views";
import { checkOverviews } from "./check-overviews";
import type { Company } from "./company";
import type { Database } from "./database";
import type { AtRest } from "./history";
import type { OverviewRead } from "./overview-history";
import type { Page } from "./page";
import { doOneOf, type Random } from "./random";
import { actOnRequest } from "./requests";
import { actOnSignOff } from "./sign-offs";
import type { Tab } from "./tab";

/** What was under way when the last fault healed may still arrive. */
const MAX_READS = 50;

/** Everybody's first visit, before anything has happened. */
export async function beginVisits(company: Company): Promise<void> {
  await Promise.all(pagesOf(company).map(({ page }) => page.client.overview.sinceLastVisit.query().catch(() => null)));
}

/** Marks what happened as seen, says that no reply is needed, changes a task or the project, or moves a sign-off or a request on. Calls without an answer are not repeated. */
export function lookBack(tab: Tab, { projectId, random }: { projectId: string; random: Random }): void {
  const page = tab.page();
  const taskId = random.pick(tab.comments.taskIds);
  const acts: (readonly [weight: number, act: () => Promise<unknown>])[] = [
    [3, () => markSeen(page)],
    [4, () => actOnSignOff(tab, { projectId, random })],
    [4, () => actOnRequest(tab, { projectId, random })],
  ];
  if (!tab.person.isClient) {
    const completed = random.chance(0.6);
    const dueDate = `2027-01-${10 + Math.floor(random.between(0, 20))}`;
    acts.push([2, () => page.client.tasks.setCompleted.mutate({ taskId, completed })]);
    acts.push([2, () => moveDate(page, dueDate)]);
    acts.push([1, () => moveProjectDate(page, { projectId, dueDate })]);
    acts.push([3, () => settle(page, random)]);
  }
  doOneOf(
    acts.map(([weight, act]) => [weight, () => void act().catch(() => undefined)] as const),
    random,
  );
}

/** What everybody is answered, and the rows; again until they agree, as a last call may still be on its way. */
export async function readOverviews(company: Company, database: Database): Promise<AtRest["overviews"]> {
  const personIds = company.people.map(({ id }) => id);
  for (let tries = 1; ; tries += 1) {
    const reads = await Promise.all(pagesOf(company).map((one) => readOne(one, company.projectId)));
    const rows = await database.readOverviewRows(personIds);
    if (tries === MAX_READS || checkOverviews(reads, { rows, people: company.people }).length === 0) {
      return { reads, rows };
    }
    await sleep(100);
  }
}

function pagesOf({ people, tabs, outsiders }: Company): { personId: string; page: Page }[] {
  return people.flatMap(({ id }) => {
    const tab = tabs.find(({ person }) => person.id === id);
    const page = tab ? tab.page() : outsiders.find(({ person }) => person.id === id)?.page;
    return page ? [{ personId: id, page }] : [];
  });
}

async function readOne(
  { personId, page: { client } }: { personId: string; page: Page },
  projectId: string,
): Promise<OverviewRead> {
  try {
    const [news, conversations, signOffs, requests, waiting] = await Promise.all([
      client.overview.sinceLastVisit.query(),
      client.chat.conversations.query(),
      // Not of the project: whoever has no part in it is refused.
      client.signOffs.list.query({}),
      client.requests.list.query({}),
      client.overview.waiting.query(),
    ]);
    const { since, messages, tasksDone, datesMoved, commits } = news;
    const turnsOf = (all: readonly Pick<SignOff, "id" | "projectId" | "turn">[]) =>
      all
        .filter((one) => one.projectId === projectId)
        .map(({ id, turn }) => ({ id, owes: turn.owes, since: turn.since }));
    const answer = {
      since,
      messages: messages.ids,
      tasksDone: tasksDone.ids,
      datesMoved: datesMoved.ids,
      commits: commits?.ids ?? [],
      counts: [
        { of: "messages" as const, count: messages.count },
        { of: "tasksDone" as const, count: tasksDone.count },
        { of: "datesMoved" as const, count: datesMoved.count },
        { of: "commits" as const, count: commits?.count ?? 0 },
      ],
      turns: conversations.map(({ id, turn }) => ({ id, owes: turn.owes, since: turn.since })),
      // Admins see those of earlier rounds too.
      signOffTurns: turnsOf(signOffs),
      requestTurns: turnsOf(requests),
      waiting: waiting.flatMap(({ subject, project, since: asked }) => {
        if ("conversationId" in subject) return [{ id: subject.conversationId, since: asked }];
        const id = "signOffId" in subject ? subject.signOffId : subject.requestId;
        return project?.id === projectId ? [{ id, since: asked }] : [];
      }),
    };
    return { personId, answer };
  } catch {
    return { personId, answer: null };
  }
}

async function markSeen({ client }: Page): Promise<void> {
  const { upTo } = await client.overview.sinceLastVisit.query();
  await client.overview.markSeen.mutate({ upTo });
}

async function moveDate({ client }: Page, dueDate: string): Promise<void> {
  const { items } = await client.tasks.mine.query();
  const [task] = items;
  if (task) await client.tasks.update.mutate({ taskId: task.id, version: task.version, patch: { dueDate } });
}

async function moveProjectDate(
  { client }: Page,
  { projectId, dueDate }: { projectId: string; dueDate: string },
): Promise<void> {
  const { version } = await client.projects.byId.query({ projectId });
  await client.projects.update.mutate({ projectId, version, patch: { dueDate } });
}

async function settle(page: Page, random: Random): Promise<void> {
  const conversations = page.conversations();
  if (conversations.length === 0) return;
  const conversation = random.pick(conversations);
  await page.client.chat.settleTurn.mutate({ conversationId: conversation.id, upToSeq: conversation.lastSeq });
}

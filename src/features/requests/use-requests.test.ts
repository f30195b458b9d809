import type { Request } from "@server/contract/views";
import { QueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { expect, test, vi } from "vitest";
import { trpc } from "@/lib/trpc";
import { showRequest } from "./use-requests";

const ASKED: Request = {
  id: "request",
  projectId: "project",
  project: { id: "project", key: "HBP", title: "Harbour" },
  title: "Larger buttons",
  text: "On the quay, with gloves.",
  urgency: "normal",
  status: "new",
  reason: null,
  createdAt: "2026-11-20T09:00:00.000Z",
  createdBy: "meera",
  decidedAt: null,
  decidedBy: null,
  duplicateOf: null,
  duplicateOfTitle: null,
  messageId: null,
  conversationId: null,
  taskId: null,
  taskKey: null,
  files: [],
  thread: [],
  people: [],
  client: null,
  turn: { owes: "nobody", since: null, businessMinutes: 0, businessDays: 0, answerBy: null, clock: null },
  canDecide: true,
  canAnswer: false,
};
const ANSWERED: Request = { ...ASKED, status: "accepted" };

test("a decision stays shown when the first answer about its request, from before it, comes later", async () => {
  const queryClient = new QueryClient();
  const queryKey = getQueryKey(trpc.requests.byId, { requestId: ASKED.id }, "query");
  const answers: ((request: Request) => void)[] = [];
  const reading = queryClient.fetchQuery({
    queryKey,
    queryFn: () => new Promise<Request>((resolve) => answers.push(resolve)),
  });
  showRequest(ANSWERED, queryClient);
  answers[0]?.(ASKED);
  await reading;
  await vi.waitFor(() => expect(queryClient.getQueryData(queryKey)).toEqual(ANSWERED));
});

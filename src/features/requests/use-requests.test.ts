import type { Request } from "@server/contract/views";
import { QueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { expect, test, vi } from "vitest";
import { trpc } from "@/lib/trpc";
import { showRequest } from "./use-requests";

const ASKED: Request = {
  id: "request",
  title: "Larger buttons",
  status: "new",
} as Request;
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

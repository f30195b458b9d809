import { createRoot } from "react-dom/client";
import { App, createAppRouter } from "./app";
import { takeFirstAnswers } from "./lib/first-answers";
import { guardReturn } from "./lib/page-return";
import { createQueryClient } from "./lib/query-client";
import { followOtherTab, handleEnd } from "./lib/session";
import { notifyOtherTabs, onOtherTab } from "./lib/session-channel";
import { createApi } from "./lib/trpc";
import { reportVitals } from "./lib/vitals";

const queryClient = createQueryClient();
takeFirstAnswers(queryClient);
const { api, client } = createApi({
  queryClient,
  session: {
    isExpected: () => Boolean(api.auth.me.getData()),
    onEnded: (reason) => handleEnd(router, reason),
  },
});
const router = createAppRouter({ api, client, queryClient });

reportVitals(() => queryClient.isFetching() > 0 || router.state.isLoading);
guardReturn(router);
onOtherTab((userId) => void followOtherTab(router, userId));
void api.auth.me.prefetch().then(() => {
  // Who came in through Google did not pass the login form, which tells the other tabs.
  const me = api.auth.me.getData();
  if (me) notifyOtherTabs(me.id);
});

// What the document shows stays until the page itself can be drawn, unless it is not known yet whose it is.
if (api.auth.me.getData() === undefined) draw();
else void router.load().finally(draw);

function draw(): void {
  const root = document.getElementById("root");
  if (root) createRoot(root).render(<App router={router} />);
}

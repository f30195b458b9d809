import { PUBLIC_PAGES as SERVED } from "@server/contract/paths";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { PUBLIC_PAGES } from "./features/marketing/public-pages";
import { reportVitals } from "./lib/vitals";

/** Entry of the public pages: React without router and query client. Links load documents. */
const root = document.getElementById("root");
if (root) void show(root);

async function show(root: HTMLElement): Promise<void> {
  const name = pageName(root.dataset.page);
  const { load, title } = PUBLIC_PAGES[name];
  const Page = await load();
  const page = (
    <StrictMode>
      <Page form={root.dataset.form === undefined ? {} : JSON.parse(root.dataset.form)} />
    </StrictMode>
  );
  if (root.firstElementChild) hydrateRoot(root, page);
  else {
    // Not prerendered: `npm run dev`.
    document.title = title;
    createRoot(root).render(page);
  }
  if (name !== "404") reportVitals();
}

/** The page that a prerendered document names, else the one at the path, else the not-found page. */
function pageName(name: string | undefined) {
  const here = Object.entries(SERVED).find(([path, served]) => (name ? served === name : path === location.pathname));
  return here?.[1] ?? "404";
}

import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { findPublicPage } from "./features/marketing/public-pages";

/** Entry of the public pages: React alone, no router, no query client. Their links load documents. */
const root = document.getElementById("root");
if (root) {
  const { Page, title } = findPublicPage(root.dataset.page, location.pathname);
  const page = (
    <StrictMode>
      <Page />
    </StrictMode>
  );
  if (root.firstElementChild) hydrateRoot(root, page);
  else {
    document.title = title;
    createRoot(root).render(page);
  }
}

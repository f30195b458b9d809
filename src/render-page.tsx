import type { InquiryFormState } from "@server/contract/inquiry-form";
import type { PublicPageName } from "@server/contract/paths";
import { escapeHtml } from "@server/contract/text";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { PUBLIC_PAGES } from "./features/marketing/public-pages";

/**
 * A public page as the element that public.tsx hydrates. The build calls it for every page, the server for a page whose form
 * has something to report to a browser without JavaScript. Everything typed is escaped.
 */
export async function renderRoot({
  name,
  form = {},
}: {
  name: PublicPageName;
  form?: InquiryFormState;
}): Promise<string> {
  const Page = await PUBLIC_PAGES[name].load();
  const content = renderToString(
    <StrictMode>
      <Page form={form} />
    </StrictMode>,
    // React treats `hidden` as a boolean; see until-found.tsx.
  ).replace(/hidden="" data-until-found="true"/g, 'hidden="until-found" data-until-found="true"');
  const state = Object.keys(form).length > 0 ? ` data-form="${escapeHtml(JSON.stringify(form))}"` : "";
  return `<div id="root" data-page="${name}"${state}>${content}</div>`;
}
